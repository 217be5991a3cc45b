"""Signals that raise, as Ctrl-C does, wherever they come: work ends, and nothing stays in use."""

import random
import signal
import time

import numpy as np
import pytest
from conftest import QUEUE

import pepa
from pepa import amoget

GRID = """
pipeline   { stage 1; stage 2; }
processors { 1 time 0.1; 2 time 0.2; }
network    { latency default 0.1; latency local 0.1ms; }
"""


class Alarm(Exception):
    """What the handler raises."""


@pytest.fixture
def alarm():
    """A function that calls another one again and again until a timer raises in it."""
    def ring(*_):
        raise Alarm

    def interrupt(work, after):
        try:
            # again, until one is not lost in a finaliser
            signal.setitimer(signal.ITIMER_REAL, after, 0.05)
            try:
                while True:
                    work()
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except Alarm as error:
            return error  # its traceback keeps the frames

    before = signal.signal(signal.SIGALRM, ring)
    yield interrupt
    signal.signal(signal.SIGALRM, before)


def calls(model):
    """Short calls that use a chain in different ways."""
    chain = model.derive(threads=1)
    steady = chain.solve(threads=1)
    passage = chain.passage(to_states="Two")
    return chain, {
        "solve": lambda: chain.solve(threads=1),
        "measures": lambda: steady.measure("throughput:serve"),
        "populations": lambda: steady.populations,
        "sensitivity": lambda: steady.sensitivity("throughput:serve"),
        "cdf": lambda: passage.cdf(1.0),
        "where": lambda: chain.where("Two == 1"),
        "rates": lambda: chain.set_rates(arrive=1),
    }


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", calls(pepa.Model(QUEUE))[1])
def test_a_chain_is_free_after_an_interrupt(name, alarm):
    chance = random.Random(name)
    chain, work = calls(pepa.Model(QUEUE))
    for _ in range(300):
        error = alarm(work[name], chance.uniform(1e-4, 4e-4))
        assert isinstance(error, Alarm)
        chain.set_rates(arrive=2)  # nothing runs
        assert chain.solve(threads=1).measure("throughput:serve") == pytest.approx(4 / 3)
        if name in ("measures", "populations", "sensitivity", "cdf"):
            chain, work = calls(chain.model)  # those are of the rates that it had


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_description_is_free_after_an_interrupt(alarm):
    chance = random.Random(1)
    grid = amoget.Description(GRID)
    for count in range(200):
        error = alarm(lambda: grid.rank(threads=1), chance.uniform(1e-4, 2e-3))
        assert isinstance(error, Alarm)
        grid.add_processor(f"p{count}", 1e3 + count) if count % 50 == 0 else grid.set_time("2", 0.2)
        assert len(grid.rank(search="all", threads=1)) == len(grid.processors) ** 2


def test_fits_end_at_a_signal(alarm):
    durations = np.random.default_rng(1).lognormal(size=20000)
    began = time.monotonic()
    assert isinstance(alarm(lambda: pepa.fit(durations, family="cox", phases=8, max_iter=10**9,
                                             tolerance=1e-300), 0.3), Alarm)
    found = pepa.fit(durations, family="erlang")
    assert isinstance(alarm(lambda: found.test(10**6), 0.3), Alarm)
    assert time.monotonic() - began < 10


def test_fits_report_progress():
    seen = []

    def progress(now):
        seen.append(now)
        return now.count > 0

    durations = np.random.default_rng(1).lognormal(size=2000)
    with pytest.raises(pepa.CancelledError):
        pepa.fit(durations, max_iter=10**9, tolerance=1e-300, progress=progress)
    assert seen[-1].phase == "fit" and seen[-1].left is None
    with pytest.raises(pepa.CancelledError):
        pepa.fit(durations, family="erlang").test(10**6, progress=progress)
    assert seen[-1].phase == "bootstrap" and seen[-1].measure == 1e6 and seen[-1].left > 0


def test_a_change_that_fails_leaves_solutions_valid(queue):
    chain = queue.derive()
    steady = chain.solve()
    with pytest.raises(pepa.ModelError):
        chain.set_rates(serve=-1)
    assert steady.measure("throughput:serve") == pytest.approx(6 / 7)
    chain.set_rates(serve=3)
    with pytest.raises(pepa.ArgumentError, match="rates have changed"):
        steady.measure("throughput:serve")
