"""Every way in which the library says no is an exception of its own, with the place in the text."""

import copy
import errno
import signal
import subprocess
import sys
import threading

import pytest
from conftest import MODELS

import pepa
from pepa import amoget

BAD = "think = 0.5;  serve = 2.0;\nClient  = (think, thnk).Waitng;\nClient"


def test_model_error_has_the_place_and_the_caret():
    with pytest.raises(pepa.ModelError) as caught:
        pepa.Model(BAD, name="shop.pepa")
    error = caught.value
    assert (error.file, error.line, error.column) == ("shop.pepa", 2, 19)
    assert error.excerpt == "Client  = (think, thnk).Waitng;\n                  ^~~~\n"
    assert [f.column for f in error.findings if f.severity == "error"] == [19, 25]
    assert str(error).splitlines()[:3] == [
        "shop.pepa:2:19: error: undefined rate `thnk`; did you mean `think`?",
        "Client  = (think, thnk).Waitng;",
        "                  ^~~~",
    ]
    assert isinstance(error, ValueError) and not isinstance(error, pepa.ModelSyntaxError)


def test_syntax_error():
    with pytest.raises(pepa.ModelSyntaxError) as caught:
        pepa.Model("r = 1; P = (a, r.P; P")
    assert (caught.value.line, caught.value.column) == (1, 17)


@pytest.mark.parametrize("text", ["", "\0", "ß", "P", "\udcff".encode("utf-8", "surrogatepass")])
def test_texts_that_are_no_models(text):
    with pytest.raises(pepa.ModelError):
        pepa.Model(text)


def test_file_that_is_not_there(tmp_path):
    path = str(tmp_path / "nowhere.pepa")
    for load in (pepa.Model.load, amoget.Description.load):
        with pytest.raises(pepa.FileError, match="nowhere.pepa: No such file") as caught:
            load(path)
        for error in (caught.value, copy.copy(caught.value)):
            assert isinstance(error, OSError) and error.status == "input or output failed"
            assert (error.errno, error.filename, error.file) == (errno.ENOENT, path, path)


def test_error_of_a_state():
    with pytest.raises(pepa.ModelError, match="passive"):
        pepa.Model("P = (a, T).P; P").derive()


def test_unknown_define():
    with pytest.raises(pepa.ArgumentError):
        pepa.Model("r = 1; P = (a, r).P; P", defines={"s": 1})


def test_measure_error_has_its_place(queue):
    with pytest.raises(pepa.ArgumentError) as caught:
        queue.solve().measures(["throughput:serve", "population:Nobody"])
    assert (caught.value.line, caught.value.file) == (2, "measures")
    assert "^" in str(caught.value)


def test_limit_of_states():
    with pytest.raises(pepa.LimitError) as caught:
        pepa.Model.load(MODELS / "web_server.pepa").derive(max_states=10)
    assert caught.value.limit == "max_states"
    assert not isinstance(caught.value, pepa.UnsupportedError)


def test_limit_of_memory():
    with pytest.raises(pepa.LimitError) as caught:
        pepa.Model.load(MODELS / "web_server.pepa").derive(memory=1000)
    assert caught.value.limit == "memory"


def test_unsupported_exploration():
    with pytest.raises(pepa.UnsupportedError) as caught:
        pepa.Model("r = 1; P = (a, r).P; P").derive(explore="symbolic")
    assert caught.value.limit == "explore"


def test_unsupported_form(queue):
    with pytest.raises(pepa.UnsupportedError) as caught:
        queue.derive().solve(matrix="free")
    assert caught.value.limit == "matrix"


def test_missed_tolerance():
    chain = pepa.Model.load(MODELS / "web_server.pepa").derive()
    with pytest.raises(pepa.ConvergenceError) as caught:
        chain.solve(method="power", max_iter=3)
    assert caught.value.info.method.startswith("power")
    assert caught.value.info.residual > caught.value.info.tolerance


def test_wrong_options(queue):
    with pytest.raises(TypeError, match="unknown option 'thread'"):
        queue.derive(thread=2)
    with pytest.raises(pepa.ArgumentError, match="method: 'magic' is none of auto, direct"):
        queue.derive().solve(method="magic")
    with pytest.raises(TypeError, match="^threads: "):
        queue.derive(threads="many")
    with pytest.raises(pepa.ArgumentError, match="^threads: "):
        queue.derive(threads=2**40)
    with pytest.raises(pepa.ArgumentError):
        queue.derive(threads=-1)
    with pytest.raises(pepa.ArgumentError, match="^seed: "):
        queue.simulate("throughput:serve", 1.0, seed=-1)


def test_wrong_types_are_type_errors(queue):
    steady = queue.solve()
    for ask in (lambda: pepa.Model(3), lambda: pepa.Model(None), lambda: pepa.Measures(queue, 3),
                lambda: pepa.Measures(queue, [1]), lambda: steady.chain.distribution("now"),
                lambda: steady.chain.set_rates(serve="fast"), lambda: amoget.Description(3),
                lambda: steady.chain.solve(progress=3) and slow_model().derive(
                    separate_copies=True, progress=3),
                lambda: copy.deepcopy(steady.chain)):
        with pytest.raises(TypeError):
            ask()
    with pytest.raises(TypeError, match="times: numbers"):
        steady.chain.transient("soon", "throughput:serve")
    with pytest.raises(pepa.ArgumentError, match="no measure"):
        steady.measure([])


def slow_model():
    """Some 3 million states: progress is reported long before they are found."""
    return pepa.Model("r = 1; s = 2; P = (a, r).Q; Q = (b, s).R; R = (c, s).P;"
                      + "P" + " || P" * 12 + " || P")


def test_memory_that_runs_out():
    """In a process of its own that may not grow by more than 100 MB: no crash, and work goes on."""
    script = """
import resource
import pepa

model = pepa.Model("r = 1; s = 2; P = (a, r).Q; Q = (b, s).R; R = (c, s).P;"
                   + " || ".join(14 * "P"))
with open("/proc/self/statm") as file:
    size = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (100 << 20),) * 2)
try:
    model.derive(separate_copies=True, threads=1)
except pepa.OutOfMemoryError as error:
    assert isinstance(error, MemoryError)
    print(error.status)
print(len(pepa.Model("r = 2; P = (a, r).Q; Q = (b, r).P; P").derive()))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "out of memory\n2\n", "")


def test_progress_is_reported_and_can_cancel():
    seen = []

    def progress(now):
        seen.append(now)
        return len(seen) == 2

    with pytest.raises(pepa.CancelledError):
        slow_model().derive(separate_copies=True, progress=progress)
    assert len(seen) == 2 and seen[0].phase == "derive" and seen[1].count > seen[0].count > 0


def test_exception_in_progress_is_raised():
    def progress(now):
        raise LookupError("from the callback")

    with pytest.raises(LookupError, match="from the callback"):
        slow_model().derive(separate_copies=True, progress=progress)


def test_keyboard_interrupt_ends_the_work():
    """A real signal, sent while the library works without the interpreter lock."""
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.main_thread().ident
    started = threading.Event()

    def interrupt():
        started.wait()
        signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            slow_model().derive(separate_copies=True, progress=lambda now: started.set())
    finally:
        started.set()
        thread.join()
        signal.signal(signal.SIGINT, before)


def test_other_threads_run_meanwhile():
    """This thread cancels what another one does in the library: it gets the interpreter while the
    other has not left the call."""
    started, stop, ended = threading.Event(), [], []

    def progress(now):
        started.set()
        return bool(stop)

    def work():
        try:
            slow_model().derive(separate_copies=True, progress=progress)
        except pepa.CancelledError:
            ended.append("cancelled")

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    stop.append(True)
    thread.join()
    assert ended == ["cancelled"]


def test_what_is_no_text_is_said_to_be_none(queue):
    steady = queue.solve()
    for wrong in (None, 3, ("r", 1)):
        for ask in (queue.value, queue.probe, queue.fluid_individual, steady.chain.check, steady.probability):
            with pytest.raises(TypeError, match="str or bytes are expected, not"):
                ask(wrong)
        with pytest.raises(TypeError, match="str or bytes are expected, not"):
            pepa.Model("r = 1; P = (a, r).P; P", defines={wrong: 1.0})
    with pytest.raises(pepa.ArgumentError, match="count: -1"):
        steady.top(-1)
