"""Sweeps against closed forms, and against one point after the other."""

import numpy as np
import pytest
from conftest import MODELS

import pepa


def queue_throughput(lam, mu):
    return mu * (1 - mu**2 / (lam**2 + lam * mu + mu**2))


def test_one_rate(queue):
    chain = queue.derive()
    mu = np.linspace(0.5, 10, 40)
    result = chain.experiment({"X": "throughput:serve"}, {"serve": mu})
    assert result["X"] == pytest.approx(queue_throughput(1.0, mu), rel=1e-9)
    assert (result.info.points, result.info.derived) == (40, 0)
    assert result.low is None and chain.rates == queue.rates
    curves = result.curves()
    assert curves.axis_name == "serve" and np.array_equal(curves["X"], result["X"])
    with pytest.raises(KeyError):
        result["Y"]


def test_two_rates(queue):
    lam, mu = np.array([0.5, 1, 2, 4]), np.array([1.0, 3.0])
    result = queue.derive().experiment("throughput:serve", {"arrive": lam, "serve": mu})
    assert result.values.shape == (4, 2, 1)
    assert result["throughput:serve"] == pytest.approx(
        queue_throughput(lam[:, None], mu[None, :]), rel=1e-9)
    frame = result.to_frame()
    assert frame.index.names == ["arrive", "serve"]
    assert frame.loc[(2.0, 3.0), "throughput:serve"] == result.values[2, 1, 0]
    labels = [line.get_label() for line in result.plot().get_lines()]
    assert labels == ["throughput:serve, serve = 1", "throughput:serve, serve = 3"]


def test_number_of_copies():
    """Erlang's loss formula, for 1 to 8 lines."""
    chain = pepa.Model.load(MODELS / "erlang_loss.pepa").derive()
    result = chain.experiment({"X": "throughput:release"}, {"lines": range(1, 9), "lambda": [3.0]})
    for lines, x in zip(range(1, 9), result["X"][:, 0]):
        term = np.cumprod(np.concatenate([[1.0], 3.0 / np.arange(1, lines + 1)]))
        assert x == pytest.approx(3 * (1 - term[-1] / term.sum()), rel=1e-8)
    assert result.info.derived == 8
    assert len(result.to_frame()) == 8


def test_points_agree_with_single_solutions():
    chain = pepa.Model.load(MODELS / "web_server.pepa").derive()
    rates = [0.01, 0.1, 1.0]
    result = chain.experiment("population:ServerDown", {"fail": rates}, tolerance=1e-12)
    for rate, value in zip(rates, result.values[:, 0]):
        chain.set_rates(fail=rate)
        assert chain.solve(tolerance=1e-12).populations["ServerDown"] == \
            pytest.approx(value, rel=1e-9)


def test_mistakes(queue):
    chain = queue.derive()
    for vary in ({}, {"none": [1.0]}, {"serve": []}):
        with pytest.raises(pepa.ArgumentError):
            chain.experiment("throughput:serve", vary)
    with pytest.raises(pepa.ModelError):
        chain.experiment("throughput:serve", {"serve": [1.0, -1.0]})


def test_progress_can_cancel():
    chain = pepa.Model.load(MODELS / "web_server.pepa").derive()
    with pytest.raises(pepa.CancelledError):
        chain.experiment("throughput:fail", {"fail": np.linspace(0.5, 2, 5000)},
                         progress=lambda now: now.phase == "experiment")


def test_by_simulation(queue):
    mu = [1.0, 2.0, 4.0]
    result = queue.simulate_experiment("throughput:serve", {"serve": mu}, seed=3, events=3_000_000)
    exact = queue_throughput(1.0, np.array(mu))
    assert result.values.shape == (3, 1)
    width = result.high - result.low
    assert np.all(np.abs(result.values[:, 0] - exact) <= width[:, 0]) and np.all(width < 0.1)
    at = queue.simulate_experiment("population:Empty", {"serve": mu}, [0.0, 1.0], runs=200, seed=1)
    assert list(at.axes) == ["serve", "time"] and at.values.shape == (3, 2, 1)
    assert np.all(at.values[:, 0] == 1)


def test_intervals_of_simulated_experiments_are_kept(queue):
    how = {"runs": 50, "seed": 1}
    sweep = queue.simulate_experiment("population:Two", {"serve": [1, 2]}, [1.0], **how)
    frame = sweep.to_frame()
    assert list(frame.columns) == [("population:Two", part) for part in ("value", "low", "high")]
    assert np.array_equal(frame["population:Two"]["low"], sweep.low.ravel())
    with pytest.raises(pepa.ArgumentError, match="one axis, not 2: serve, time"):
        sweep.curves()
    curves = queue.simulate_experiment("throughput:serve", {"serve": [1, 2]}, seed=1,
                                       relative_width=0.1).curves()
    assert np.all(curves.low < curves.values) and np.all(curves.values < curves.high)
    assert curves.axis_name == "serve" and curves.to_frame()["throughput:serve"].shape == (2, 3)


def test_a_point_that_fails_is_told():
    model = pepa.Model("r = 1; s = 1; d = 2 * s; P = (a, r).Q; Q = (b, d).R; R = (c, 3 * s).P; P")
    chain = model.derive()
    with pytest.raises(pepa.ModelError) as caught:
        chain.experiment("throughput:a", {"r": [1, 2], "s": [1, 2, -1]})
    assert str(caught.value) == "at r = 1, s = -1: the rate `d` would become -2; rates must be > 0"
    with pytest.raises(pepa.ModelError, match="^the rate `d` would become -2"):
        chain.set_rates(s=-1)
    with pytest.raises(pepa.ModelError, match="^the rate `r` cannot be nan"):
        chain.set_rates(r=float("nan"))
    apart = pepa.Model("s = 1; P = (a, 1).Q; Q = (b, s - 2 + 3).P; P").derive()
    with pytest.raises(pepa.ModelError, match="^the rate of `b` would become -1; "):
        apart.set_rates(s=-2)
    with pytest.raises(pepa.ModelError) as caught:
        model.simulate_experiment("throughput:a", {"s": [1, -1]}, [1.0], runs=2)
    assert caught.value.message.startswith("at s = -1: ")


def test_points_that_fail_are_nan_if_asked():
    model = pepa.Model("r = 1; s = 1; P = (a, r).Q; Q = (b, s).P; P")
    chain = model.derive()
    vary = {"r": [1.0, 0.0, 2.0], "s": [1.0, -1.0]}
    sweep = chain.experiment("throughput:a", vary, failures="nan")
    assert sweep.failed.tolist() == [[False, True], [True, True], [False, True]]
    assert np.isnan(sweep["throughput:a"]).tolist() == sweep.failed.tolist()
    assert sweep.values[2, 0, 0] == pytest.approx(2 / 3)
    assert sweep.info.points == 2
    assert not chain.experiment("throughput:a", {"r": [1, 2]}).failed.any()
    sampled = model.simulate_experiment("throughput:a", {"s": [-1, 1]}, [1.0], failures="nan", runs=10)
    assert sampled.failed.tolist() == [True, False]
    assert np.isnan(sampled.values[0]).all() and not np.isnan(sampled.high[1]).any()
    with pytest.raises(pepa.ArgumentError, match='^failures is "raise" or "nan", not .skip.'):
        chain.experiment("throughput:a", vary, failures="skip")
    with pytest.raises(pepa.ArgumentError):
        chain.experiment("throughput:a", {"r": []}, failures="nan")
    with pytest.raises(pepa.CancelledError):
        chain.experiment("throughput:a", vary, failures="nan", progress=lambda now: True)
