"""What Python adds: to a single call, and to sweeps of 1,000 points against `pepa experiment`.

Run by `make bench-python`; the first argument is the folder of the programs.  A call by itself is the
function of the extension module with arguments made before, which adds some 0.2 us to the library's.
Sweeps take turns, and ratios are of neighbours.
"""

import os
import statistics
import subprocess
import sys
import time

import numpy as np

import pepa
from pepa._call import Call
from pepa._native import ffi, lib

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models")
QUEUE = """arrive = 1.0; serve = 2.0; Empty = (arrive, arrive).One;
One = (arrive, arrive).Two + (serve, serve).Empty; Two = (serve, serve).One; Empty"""


def seconds(function, repeat=2000):
    """The median processor time of a call, of 9 rounds: other programs do not count."""
    rounds = []
    for _ in range(9):
        start = time.thread_time()
        for _ in range(repeat):
            function()
        rounds.append((time.thread_time() - start) / repeat)
    return statistics.median(rounds)


def calls():
    """Methods of Python against the calls in them."""
    model = pepa.Model(QUEUE)
    chain = model.derive(threads=1)
    steady = chain.solve(threads=1)
    measures = pepa.Measures(model, "throughput:serve")
    err, info, out = ffi.new("PepaError *"), ffi.new("PepaInfo *"), ffi.new("double[8]")
    call = Call()
    settings = call.settings({"threads": 1})
    pi = ffi.from_buffer("double[]", steady.pi)
    define = ffi.new("PepaDefine[]", [(ffi.new("char[]", b"serve"), 2.0)])
    name = ffi.new("char[]", b"serve")
    define[0].rate = name
    at = ffi.new("PepaTransient *", {"time": ffi.new("double[]", [1.0]), "count": 1})
    times = ffi.new("double[]", [1.0])
    at.time = times
    now = np.array([1.0])
    data = QUEUE.encode()

    def parse():
        model = ffi.new("PepaModel **")
        lib.pepa_model_parse(model, b"model", data, len(data), ffi.NULL, err)
        lib.pepa_model_free(model[0])

    def derive():
        other = ffi.new("PepaChain **")
        lib.pepa_chain_derive(other, model._p, settings, err)
        lib.pepa_chain_free(other[0])

    def generator():
        q = ffi.new("PepaMatrix *")
        lib.pepa_chain_generator(chain._p, q, err)
        lib.pepa_matrix_free(q)

    with chain._solver.borrowed() as handle:
        pairs = [
            ("Model(text)", lambda: pepa.Model(QUEUE), parse),
            ("derive()", lambda: model.derive(threads=1), derive),
            ("generator()", chain.generator, generator),
            ("set_rates(serve=2)", lambda: chain.set_rates(serve=2.0),
             lambda: lib.pepa_chain_set_rates(chain._p, define, 1, err)),
            ("throughputs", lambda: steady.throughputs,
             lambda: lib.pepa_throughputs(chain._p, pi, out)),
            ("measures(compiled)", lambda: steady.measures(measures),
             lambda: lib.pepa_measures_values(measures._p, chain._p, pi, out, err)),
            ("transient([1], compiled)", lambda: chain.transient(now, measures, threads=1),
             lambda: lib.pepa_transient_measures(chain._p, measures._p, at, settings, out,
                                                 ffi.NULL, err)),
        ]
        alone = seconds(lambda: lib.pepa_steady_solve(handle, settings, out, info, err))
    report("solve()", seconds(lambda: chain.solve(threads=1)), alone)
    for what, method, function in pairs:
        if what == "throughputs":
            steady = chain.solve()
        report(what, seconds(method), seconds(function))


def report(what, method, alone):
    print(f"{what:26} {method * 1e6:8.1f} us   {alone * 1e6:8.1f} us   {(method - alone) * 1e6:8.1f} us")


def sweeps(programs, model, rate, low, high, measure):
    """One sweep by the command, by Chain.experiment, and as a loop; and as a program of its own."""
    path = os.path.join(MODELS, f"{model}.pepa")
    step = (high - low) / 999
    values = [low + i * step for i in range(1000)]
    command = [os.path.join(programs, "pepa"), "experiment", path, "--vary",
               f"{rate}={low}:{high + step / 2}:{step}", "--measure", measure, "--csv"]
    script = [sys.executable, "-c",
              f"import pepa; c = pepa.Model.load({path!r}).derive(); "
              f"c.experiment({measure!r}, {{{rate!r}: {values!r}}})"]

    def by_command():
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def by_experiment():
        return pepa.Model.load(path).derive().experiment(measure, {rate: values})

    def by_program():
        subprocess.run(script, check=True)

    def by_loop():
        chain = pepa.Model.load(path).derive()
        measures = pepa.Measures(chain.model, measure)
        found, guess = [], None
        for value in values:
            chain.set_rates({rate: value})
            steady = chain.solve(warm_start=guess, threads=1)
            guess = steady.pi
            found.append(steady.measures(measures).array[0])
        return np.array(found)

    rows = [line.split(",") for line in by_command().splitlines()]
    numbers = np.array([float(row[-1]) for row in rows if row[-1][:1].isdigit()])
    found = by_experiment()
    assert len(numbers) == 1000 and np.allclose(found.values[:, 0], numbers, rtol=1e-8)
    assert np.allclose(by_loop(), numbers, rtol=1e-6)
    ways = {"experiment()": by_experiment, "a loop": by_loop, "a program": by_program}
    took = {name: [] for name in ["command", *ways]}
    ratio = {name: [] for name in ways}
    for _ in range(7):
        for name, way in ways.items():
            start = time.perf_counter()
            by_command()
            middle = time.perf_counter()
            way()
            end = time.perf_counter()
            took["command"].append(middle - start)
            took[name].append(end - middle)
            ratio[name].append((end - middle) / (middle - start))
    print(f"{model}, {rate} at 1,000 values: command {statistics.median(took['command']):.3f} s", end="")
    for name in ways:
        print(f"; {name} {statistics.median(took[name]):.3f} s, "
              f"{statistics.median(ratio[name]):.2f} times", end="")
    print(flush=True)


print(f"{'':26} {'method':>11}   {'call':>11}   {'added':>11}")
calls()
print(flush=True)
sweeps(sys.argv[1], "machine_repair", "lambda", 0.01, 0.5, "throughput:repair")
sweeps(sys.argv[1], "web_server", "fail", 0.01, 0.5, "population:ServerDown")
sweeps(sys.argv[1], "pipeline3", "mu1", 1, 20, "throughput:process1")
