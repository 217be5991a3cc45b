"""Simulation against exact answers: seeds are fixed, so that tests are not left to chance."""

import numpy as np
import pytest
import scipy.linalg
from conftest import MODELS

import pepa


def near(estimate, exact):
    """Within twice the interval: some intervals of many miss, by design."""
    return abs(estimate.value - exact) <= estimate.high - estimate.low


def test_at_times(queue):
    times = [0.0, 0.5, 3.0]
    found = queue.simulate(["population:Empty", "throughput:serve"], times, runs=4000, seed=5)
    exact = queue.derive().transient(times, ["population:Empty", "throughput:serve"])
    width = found.high - found.low
    assert np.all(np.abs(found.values - exact.values) <= width)
    assert np.all(width < 0.15) and found.info.runs == 4000
    assert found["population:Empty"][0] == 1


def test_in_the_long_run(queue):
    found = queue.simulate({"X": "throughput:serve"}, seed=2, events=400_000)
    assert near(found["X"], 6 / 7) and found["X"].low < found["X"].high
    assert found.info.events > 10_000 and found.info.length > 0


def test_the_same_seed_gives_the_same_digits(queue):
    one, two = (queue.simulate("population:Two", [1.0, 2.0], runs=500, seed=8, threads=n)
                for n in (1, 2))
    other = queue.simulate("population:Two", [1.0, 2.0], runs=500, seed=9)
    assert np.array_equal(one.values, two.values) and np.array_equal(one.low, two.low)
    assert not np.array_equal(one.values, other.values)


def test_relative_width(queue):
    found = queue.simulate("throughput:serve", relative_width=0.02, seed=1)
    x = found["throughput:serve"]
    assert (x.high - x.low) / 2 <= 0.02 * x.value and near(x, 6 / 7)


def test_rare_event():
    """M/M/1/K with rho = 1/4, nearly as in the long run: it is full with probability 4.5e-8."""
    text = """lambda = 1; mu = 4;
    Arrivals = (arrive, lambda).Arrivals; Server = (serve, mu).Server;
    Place = (arrive, T).Job; Job = (serve, T).Place;
    Arrivals <arrive> Place[12] <serve> Server"""
    found = pepa.Model(text).simulate_rare("probability:{Job >= 12}", [20.0], seed=4, runs=1000)
    q = np.diag(np.full(12, 1.0), 1) + np.diag(np.full(12, 4.0), -1)
    q -= np.diag(q.sum(axis=1))
    exact = scipy.linalg.expm(20 * q)[0, 12]
    assert 4e-8 < exact < 5e-8
    value, low, high = found.values[0, 0], found.low[0, 0], found.high[0, 0]
    assert 0 < low <= value <= high and near(pepa.Estimate(value, low, high), exact)


def test_passage():
    model = pepa.Model("r = 2; A = (x, r).B; B = (y, r).C; C = (z, r).A; A")
    t = np.array([0.5, 1.0, 2.0])
    found = model.simulate_passage(times=t, shares=[0.5], from_start=True, to_states="C == 1",
                                   runs=5000, seed=3)
    assert near(found.mean, 1.0) and near(found.variance, 0.5) and found.ends.value == 1
    exact = 1 - np.exp(-2 * t) * (1 + 2 * t)
    assert np.all(np.abs(found.cdf.values[:, 0] - exact) <= (found.cdf.high - found.cdf.low)[:, 0])
    median = model.derive().passage(to_states="C == 1").quantile(0.5)
    assert near(found.quantiles[0.5], median)
    assert found.passages == 5000 and "5000 passages" in repr(found)


def test_durations_that_are_not_exponential():
    """An alternating renewal process: 2 of 2.5 units of time."""
    text = "P = (work, det(2)).Q; Q = (rest, uniform(0, 1)).P; P"
    model = pepa.Model(text)
    with pytest.raises(pepa.PepaError):
        model.derive()
    x = model.simulate("population:P", seed=1, relative_width=0.01)["population:P"]
    assert near(x, 0.8)


def test_mistakes(queue):
    with pytest.raises(pepa.ArgumentError):
        queue.simulate("throughput:serve", [2, 1])
    with pytest.raises(pepa.ArgumentError):
        queue.simulate("throughput:serve", confidence=2)
    with pytest.raises(TypeError, match="^runs: "):
        queue.simulate("throughput:serve", runs="many")
    with pytest.raises(TypeError, match="unknown option 'run'"):
        queue.simulate("throughput:serve", run=2)
    with pytest.raises(pepa.LimitError) as caught:
        queue.simulate("throughput:serve", [1e6], relative_width=1e-9, events=100_000)
    assert caught.value.limit == "events"


def test_progress_can_cancel():
    model = pepa.Model.load(MODELS / "web_server.pepa")
    with pytest.raises(pepa.CancelledError):
        model.simulate("throughput:fail", progress=lambda now: now.phase == "simulate",
                       events=10**10)


def test_frames_and_plots(queue):
    curves = queue.simulate("population:Two", [1.0, 2.0], runs=100)
    assert curves.to_frame()[("population:Two", "low")].tolist() == curves.low[:, 0].tolist()
    assert len(curves.plot().collections) == 1
    settled = queue.simulate("population:Two", relative_width=0.1)
    assert "<td>population:Two</td>" in settled._repr_html_()
