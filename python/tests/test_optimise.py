"""Optima against closed forms."""

import numpy as np
import pytest

import pepa

SWITCH = "up = 2; down = 3; On = (fail, down).Off; Off = (mend, up).On; On"


def test_a_minimum_inside():
    """On = up / (up + 3): 100 (1 - On) + 5 up is least where (up + 3)^2 = 60."""
    best = pepa.Model(SWITCH).minimise("100 * (1 - population:On) + 5 * rate:up", {"up": (0.1, 50)})
    assert best.rates["up"] == pytest.approx(np.sqrt(60) - 3, rel=1e-4)
    assert best.objective == pytest.approx(2 * np.sqrt(1500) - 15, rel=1e-8)
    assert best.binding == {"up": ""} and best.ended == "stationary"
    assert best.info.evaluations > 0 and len(best.measures) == 1


def test_a_constraint():
    best = pepa.Model(SWITCH).minimise("rate:up", {"up": (0.1, 50)},
                                       subject="population:On >= 0.75")
    assert best.rates["up"] == pytest.approx(9, rel=1e-5)
    assert best.binding["population:On >= 0.75"] == "low"
    largest = pepa.Model(SWITCH).maximise("population:On", {"up": (0.1, 6)})
    assert largest.rates["up"] == pytest.approx(6) and largest.binding == {"up": "high"}
    assert largest.objective == pytest.approx(2 / 3)


def test_numbers_of_copies():
    """The fewest lines of Erlang's loss system (3 Erlang) that lose less than 1%: 8."""
    text = """lines = 4; lambda = 3; mu = 1;
    Calls = (seize, lambda).Calls; Line = (seize, T).Busy; Busy = (release, mu).Line;
    Calls <seize> Line[lines]"""
    best = pepa.Model(text).minimise("rate:lines", {"lines": (1, 20)},
                                     subject=["throughput:release >= 0.99 * rate:lambda"])
    term = np.cumprod(np.concatenate([[1.0], 3.0 / np.arange(1, 9)]))
    assert term[8] / term.sum() < 0.01 < term[7] / term[:8].sum()
    assert best.rates == {"lines": 8.0} and best.is_global and best.ended == "enumerated"


def test_mistakes():
    model = pepa.Model(SWITCH)
    with pytest.raises(pepa.ArgumentError):
        model.minimise("rate:up", {"up": (5, 1)})
    with pytest.raises(pepa.ArgumentError):
        model.minimise("rate:up", {"up": (1, 5)}, subject="population:On >")
    with pytest.raises(pepa.ConvergenceError) as caught:
        model.minimise("rate:up", {"up": (1, 5)}, subject="population:On >= 0.9")
    assert caught.value.info.violation > 0
