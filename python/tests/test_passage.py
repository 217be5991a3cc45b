"""Passage times against closed forms, and against linear algebra on the generator."""

import threading

import numpy as np
import pytest
import scipy.linalg
from conftest import MODELS

import pepa

STAGES = "r = 2; A = (x, r).B; B = (y, r).C; C = (z, r).A; A"


def test_erlang():
    """Two exponential stages at rate 2 from the start to C."""
    passage = pepa.Model(STAGES).derive().passage(to_states="C == 1")
    t = np.array([0, 0.2, 1, 3, 10])
    assert np.abs(passage.cdf(t) - (1 - np.exp(-2 * t) * (1 + 2 * t))).max() < 1e-9
    assert np.abs(passage.pdf(t) - 4 * t * np.exp(-2 * t)).max() < 1e-8
    assert passage.cdf(1.0) == pytest.approx(1 - 3 * np.exp(-2))
    assert passage.moments == pytest.approx((1, 1, 0.5))
    assert (passage.mean, passage.variance) == pytest.approx((1, 0.5))
    assert passage.cdf(passage.quantile(0.9)) == pytest.approx(0.9, abs=1e-9)
    assert passage.steps > 0
    curves = passage.at(t)
    assert curves.names == ["cdf", "pdf", "error bound"] and curves["error bound"].max() < 1e-9


@pytest.mark.parametrize("ends", [
    {"from_action": "z", "to_action": "x"},
    {"from_action": ["z"], "to_states": "B == 1"},
    {"from_states": "A == 1", "to_action": ["x", "y"]},
])
def test_one_stage_in_the_long_run(ends):
    passage = pepa.Model(STAGES).derive().solve().passage(**ends)
    assert passage.mean == pytest.approx(0.5)
    assert passage.quantile(0.5) == pytest.approx(np.log(2) / 2)


def test_first_passage_by_linear_algebra():
    chain = pepa.Model.load(MODELS / "web_server.pepa").derive()
    passage = chain.passage(to_states="ServerDown >= 2")
    inside = ~chain.where("ServerDown >= 2")
    q = chain.generator().toarray()[np.ix_(inside, inside)]
    one = np.linalg.solve(-q, np.ones(len(q)))
    two = np.linalg.solve(-q, 2 * one)
    assert passage.mean == pytest.approx(one[0], rel=1e-8)
    assert passage.variance == pytest.approx(two[0] - one[0] ** 2, rel=1e-7)
    for t in (1.0, 30.0):
        left = scipy.linalg.expm(q * t)[0].sum()
        assert passage.cdf(t) == pytest.approx(1 - left, abs=1e-8)


@pytest.mark.filterwarnings("ignore::pepa.ModelWarning")
def test_passage_that_need_not_end():
    text = "r = 1; s = 3; P = (win, r).W + (lose, s).L; W = (w, r).W; L = (l, r).L; P"
    passage = pepa.Model(text).derive().passage(to_states="W == 1")
    assert passage.moments == pytest.approx((0.25, np.inf, np.inf))
    assert passage.quantile(0.5) == np.inf


@pytest.mark.filterwarnings("ignore::pepa.ModelWarning")
def test_probe():
    model = pepa.Model("r = 2; s = 4; C = (think, r).W; W = (serve, s).C; C")
    probed = model.probe("C:(think:start, serve:stop)")
    passage = probed.derive().solve().passage(**probed.ends)
    assert passage.mean == pytest.approx(0.25)
    assert passage.cdf(1.0) == pytest.approx(1 - np.exp(-4))
    once = model.probe("C:(think, serve:stop)", once=True)
    assert once.derive().passage(**once.ends).mean == pytest.approx(0.75)
    assert "probe" in probed.name


def test_probe_with_a_mistake(queue):
    with pytest.raises(pepa.ArgumentError) as caught:
        queue.probe("arrive:start, serv:stop")
    assert caught.value.column == 15 and "^" in str(caught.value)


def test_ends_that_make_no_sense(queue):
    steady = queue.solve()
    for ends in ({}, {"from_action": "arrive"}, {"from_action": "no", "to_action": "serve"},
                 {"from_action": "arrive", "from_start": True, "to_action": "serve"}):
        with pytest.raises(pepa.ArgumentError):
            steady.passage(**ends)


def test_passage_after_a_change_of_rates_is_refused(queue):
    chain = queue.derive()
    passage = chain.passage(to_states="Two == 1")
    assert passage.mean > 0
    chain.set_rates(serve=3)
    for ask in (lambda: passage.cdf(1.0), lambda: passage.mean, lambda: passage.quantile(0.5)):
        with pytest.raises(pepa.ArgumentError, match="rates have changed"):
            ask()


def test_passage_outlives_its_makers():
    passage = pepa.Model(STAGES).derive().passage(to_states="C == 1")
    assert passage.mean == pytest.approx(1)


def test_threads_take_turns():
    passage = pepa.Model.load(MODELS / "web_server.pepa").derive().passage(
        to_states="ServerDown >= 2")
    times = np.linspace(0, 20, 30)
    expected, found = passage.cdf(times), []
    threads = [threading.Thread(target=lambda: found.append(passage.cdf(times))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(np.array_equal(each, expected) for each in found)


def test_callbacks_cannot_ask_the_passage_that_calls_them():
    model = pepa.Model("r = 1e3; P = (a, r).Q; Q = (b, r).P + (c, 1e-3).R; R = (d, r).P; P[600]",
                       name="slow")
    refused = []

    def progress(now):
        try:
            passage.cdf(1.0)
        except pepa.ArgumentError as error:
            refused.append(str(error))
        return True

    passage = model.derive().passage(to_states="R >= 3", progress=progress)
    with pytest.raises(pepa.CancelledError):
        passage.cdf(1e3)
    assert refused == ["the passage is in use by the call that reports progress"]


def test_plot():
    ax = pepa.Model(STAGES).derive().passage(to_states="C == 1").plot()
    assert ax.get_lines()[0].get_ydata()[-1] == pytest.approx(0.99, abs=1e-9)
