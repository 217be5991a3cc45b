"""Walks against chains, which find the same states and steps all at once."""

import math
import threading

import numpy as np
import pytest

import pepa
from conftest import MODELS


@pytest.mark.parametrize("name", ["client_server", "philosophers_deadlock", "mm1k", "circuit_breaker"])
@pytest.mark.filterwarnings("ignore::pepa.ModelWarning")
def test_steps_are_the_transitions_of_the_chain(name):
    model = pepa.Model.load(MODELS / f"{name}.pepa")
    chain = model.derive(explore="explicit")
    walk = model.walk()
    matrix = chain.transitions()
    for state in range(min(chain.states, 60)):
        walk.jump(state)
        assert walk.state == chain.state_text(state)
        assert np.array_equal(walk.counts, chain.counts(state))
        rows = slice(matrix.row[state], matrix.row[state + 1])
        expected = sorted((chain.actions[a], chain.state_text(t), r) for a, t, r in
                          zip(matrix.action[rows], matrix.target[rows], matrix.rate[rows]))
        found = sorted((s.action, s.to, s.rate) for s in walk.steps)
        assert [f[:2] for f in found] == [e[:2] for e in expected]
        assert np.allclose([f[2] for f in found], [e[2] for e in expected], rtol=1e-14)
        total = math.fsum(s.rate for s in walk.steps)
        assert walk.exit_rate == pytest.approx(total, rel=1e-14)
        for step in walk.steps:
            assert step.probability == pytest.approx(step.rate / total, rel=1e-14)


def test_there_and_back(queue):
    walk = queue.walk()
    assert walk.positions == queue.derive().positions
    start = walk.state
    assert walk.take("arrive").take(0).state == "(Two)"
    assert len(walk) == 2 and walk.holds("Two") and not walk.holds("Empty")
    assert walk.back().state == "(One)"
    assert walk.back(1).state == start
    assert walk.go("Two").steps[0].action == "serve"


def test_runs(queue):
    walk = queue.walk()
    assert walk.run("Two", seed=3).end == "found"
    assert walk.state == "(Two)"
    again = queue.walk()
    assert again.run("Two", seed=3).steps == len(walk) and again.state == walk.state
    assert again.run(most=1000).steps == 1000
    dead = pepa.Model("P = (a, 1).Stop; P").walk()
    assert dead.run("P >= 2") == pepa.Run(1, "deadlock")
    assert dead.steps == [] and dead.exit_rate == 0
    assert queue.walk().run("Empty && Two", most=5) == pepa.Run(5, "most")


def test_immediate():
    step, = pepa.Model("P = (a, immediate).Q; Q = (b, 1).P; P").walk().steps
    assert step == pepa.Step("a", 0.0, 1.0, True, "(Q)")


def test_many_states():
    """No chain is derived: 10^30 states and more."""
    walk = pepa.Model("P = (a, 1).Q; Q = (b, 1).R; R = (c, 2).P; P[1000] || P[1000] || P[1000]").walk()
    assert walk.exit_rate == 3000
    assert walk.run(most=100).steps == 100
    assert int(walk.counts.sum()) == 3000


def test_mistakes(queue):
    walk = queue.walk()
    with pytest.raises(ValueError, match="no steps with the action 'serve'"):
        walk.take("serve")
    for wrong in (lambda: walk.take(7), lambda: walk.take(-1), lambda: walk.back(1),
                  lambda: walk.go("Nonsense"), lambda: walk.jump(3), lambda: walk.run(most=0)):
        with pytest.raises(pepa.ArgumentError):
            wrong()
    with pytest.raises(pepa.ArgumentError, match="no local state `Nobody`"):
        walk.holds("Nobody")
    with pytest.raises(TypeError):
        queue.walk(nonsense=1)
    assert walk.state == "(Empty)" and len(walk) == 0


def test_the_model_is_kept():
    walk = pepa.Model("P = (a, 2).Q; Q = (b, 1).P; P").walk()
    assert walk.take("a").take("b").state == "(P)"
    del walk.model
    assert walk.steps[0].rate == 2


def test_progress_cancels():
    model = pepa.Model("P = (a, 1).Q; Q = (b, 1).P; P[60] || P[60] || P[60] || P[60]")
    ended = threading.Event()

    def stop(_):
        ended.set()
        raise KeyboardInterrupt

    with pytest.raises((KeyboardInterrupt, pepa.LimitError)):
        model.walk(progress=stop, max_states=3000000).jump(10**7)
