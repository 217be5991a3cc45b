"""Transient answers against closed forms and the matrix exponential."""

import numpy as np
import pytest
import scipy.linalg
from conftest import MODELS

import pepa

TIMES = [0, 0.1, 1, 2.5, 20]


def test_two_states():
    """P(on at t) = mu / (lambda + mu) + lambda / (lambda + mu) exp(-(lambda + mu) t)."""
    chain = pepa.Model("l = 2; m = 3; On = (fail, l).Off; Off = (mend, m).On; On").derive()
    curves = chain.transient(TIMES, ["population:On", "throughput:fail"])
    on = 0.6 + 0.4 * np.exp(-5 * np.array(TIMES))
    assert np.abs(curves["population:On"] - on).max() < 1e-9
    assert np.abs(curves["throughput:fail"] - 2 * on).max() < 1e-9
    assert curves.values.shape == (5, 2) and len(curves) == 5
    assert 0 < curves.info.error_bound < 1e-9
    with pytest.raises(KeyError):
        curves["none"]


def test_accumulated_completions():
    """The mean number of failures until t, by integration of the above."""
    chain = pepa.Model("l = 2; m = 3; On = (fail, l).Off; Off = (mend, m).On; On").derive()
    t = np.array(TIMES)
    curves = chain.transient(t, "throughput:fail", accumulated=True)
    assert np.abs(curves.values[:, 0] - 2 * (0.6 * t + 0.08 * (1 - np.exp(-5 * t)))).max() < 1e-8


def test_distribution_is_a_row_of_the_exponential():
    chain = pepa.Model.load(MODELS / "web_server.pepa").derive()
    q = chain.generator().toarray()
    for time in (0.3, 4.0):
        d = chain.distribution(time)
        assert np.abs(d.pi - scipy.linalg.expm(q * time)[0]).max() < 1e-9
        assert d.populations["Reader"] + d.populations["ReaderWaits"] == pytest.approx(8)
        curves = chain.transient([time], "throughput:submit")
        assert d.throughputs["submit"] == pytest.approx(curves.values[0, 0], abs=1e-8)


def test_times_that_make_no_sense(queue):
    chain = queue.derive()
    for times in ([2, 1], [-1], [np.nan], []):
        with pytest.raises(pepa.ArgumentError):
            chain.transient(times, "throughput:serve")
    with pytest.raises(ValueError, match="times"):
        chain.transient([[1, 2]], "throughput:serve")


def test_rates_that_changed_make_old_distributions_useless(queue):
    chain = queue.derive()
    d = chain.distribution(1.0)
    chain.set_rates(serve=3)
    with pytest.raises(pepa.ArgumentError):
        d.throughputs


def test_frame_and_plot(queue):
    curves = queue.derive().transient(TIMES, {"N": "population:One + 2 * population:Two"})
    frame = curves.to_frame()
    assert frame.index.name == "time" and list(frame["N"]) == list(curves["N"])
    ax = curves.plot()
    assert list(ax.get_lines()[0].get_ydata()) == list(curves["N"])
    assert curves._repr_html_().startswith("<svg")


def test_keyboard_interrupt_of_a_callback_is_not_lost(queue):
    """The last report can come when the work is done: the exception is raised all the same."""
    def progress(now):
        raise KeyboardInterrupt

    text = "r = 1e5; s = 1e-4; P = (a, r).Q + (c, s).R; Q = (b, r).P; R = (d, r).P; P[200]"
    with pytest.raises(KeyboardInterrupt):
        pepa.Model(text).derive().transient([1e4], "throughput:c", progress=progress)
