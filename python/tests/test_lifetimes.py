"""Nothing is freed while something of it is in use, and nothing is kept that is not."""

import gc
import resource

import numpy as np
import pytest
from conftest import MODELS, QUEUE

import pepa
from pepa import amoget

GRID = """
pipeline   { stage 1; stage 2; stage 3; }
processors { 1 time 0.1; 2 time 0.1; 3 time 1; }
network    { latency default 0.1; latency local 0.1ms; }
"""


def test_arrays_outlive_the_chain(queue):
    chain = queue.derive()
    q, t = chain.generator(), chain.transitions()
    expected, rates = q.toarray(), t.rate.copy()
    del chain
    gc.collect()
    filler = [np.ones(64) for _ in range(1000)]  # memory that was freed would be used again
    assert np.array_equal(q.toarray(), expected)
    assert np.array_equal(t.rate, rates) and list(t.target) == [1, 2, 0, 1]
    del filler


def test_chains_and_measures_outlive_the_model():
    model = pepa.Model(QUEUE)
    chain, measures = model.derive(), pepa.Measures(model, "throughput:serve")
    predicate = pepa.Predicate(model, "Two == 1")
    del model
    gc.collect()
    steady = chain.solve()
    del chain
    gc.collect()
    assert steady.measures(measures).array[0] == pytest.approx(6 / 7)
    assert list(steady.chain.where(predicate)) == [False, False, True]


def test_cycles_are_freed_in_any_order():
    """The collector finds the chain and what was made of it in one cycle."""
    for _ in range(10):
        chain = pepa.Model(QUEUE).derive()
        cycle = [chain, chain.solve(), chain.generator(), chain.transitions(),
                 chain.passage(to_states="Two == 1"), chain.distribution(1.0)]
        cycle.append(cycle)
        del chain, cycle
        gc.collect()


def work(model):
    chain = model.derive(threads=1)
    steady = chain.solve(threads=1)
    steady.measures("throughput:submit")
    steady.sensitivity("throughput:submit")
    steady.passage(from_action="request", to_action="answer").cdf(0.1)
    chain.transient([0.1], "throughput:submit")
    chain.check("P>=0.5 [ F<=0.1 {ServerDown >= 1} ]")
    chain.lump("throughput:submit").solve()
    chain.generator()
    chain.transitions()


def fail(model):
    for action, kind in (
        (lambda: pepa.Model("r = 1; P = (a, s).Q; P"), pepa.ModelError),
        (lambda: pepa.Model("r = ; P"), pepa.ModelSyntaxError),
        (lambda: pepa.Measures(model, "throughput:none"), pepa.ArgumentError),
        (lambda: model.derive(max_states=200), pepa.LimitError),
        (lambda: model.derive().solve(method="power", max_iter=2), pepa.ConvergenceError),
        (lambda: model.derive().set_rates(fail=-1), pepa.ModelError),
        (lambda: model.derive().passage(to_action="none"), pepa.ArgumentError),
        (lambda: model.derive().transient([1, 0], "throughput:fail"), pepa.ArgumentError),
        (lambda: model.probe("none:stop"), pepa.ArgumentError),
    ):
        with pytest.raises(kind):
            action()


def rank(_):
    grid = amoget.Description(GRID)
    grid.rank(search="all")
    grid.explain("1,1,2")
    with pytest.raises(pepa.ArgumentError):
        grid.explain("1,1,9")
    with pytest.raises(pepa.ModelError):
        amoget.Description(GRID[:60])


@pytest.mark.parametrize("action", [work, fail, rank])
def test_nothing_is_leaked(action):
    """A chain takes some 50 kB: 300 of them would show."""
    model = pepa.Model.load(MODELS / "web_server.pepa")
    for _ in range(100):
        action(model)
    gc.collect()
    before = resident()
    for _ in range(300):
        action(model)
    gc.collect()
    assert resident() - before < 4 << 20


def resident():
    """Bytes that the process has in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
