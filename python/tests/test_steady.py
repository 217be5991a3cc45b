"""Steady states against closed forms, and against dense linear algebra on the generator."""

import threading
import warnings

import numpy as np
import pytest
from conftest import MODELS, long_run

import pepa

SMALL = ["active_badge", "client_server", "gamblers_ruin", "job_shop", "kdc5", "machine_repair",
         "mm1k", "pipeline3", "polling4", "priority_queue", "readers_writers",
         "sis_epidemic", "weighted_dispatch", "web_server", "workbench"]


def chain_of(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pepa.ModelWarning)
        return pepa.Model.load(MODELS / f"{name}.pepa").derive()


@pytest.mark.parametrize("name", SMALL)
def test_distribution_and_measures_by_dense_algebra(name):
    chain = chain_of(name)
    assert len(chain) <= 1000
    steady = chain.solve(tolerance=1e-13)
    pi = long_run(chain.generator())
    assert np.abs(steady.pi - pi).max() < 1e-10
    t = chain.transitions()
    flow = np.bincount(t.action, weights=pi[t.source] * t.rate, minlength=len(chain.actions))
    assert np.allclose(steady.throughputs.array, flow, rtol=1e-8, atol=1e-12)
    mean = pi @ chain.counts()
    copies = np.concatenate([[p.copies] * len(p.local_states) for p in chain.positions])
    assert np.allclose(steady.utilisations.array, mean / copies, rtol=1e-8, atol=1e-12)
    for local, value in steady.populations.items():
        columns = [k for k, (_, other) in enumerate(chain.count_names) if other == local]
        assert value == pytest.approx(mean[columns].sum(), rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("arrive,serve,places", [(1.0, 2.0, 2), (3.0, 2.0, 7), (1.0, 1.0, 20)])
def test_queue_with_few_places(arrive, serve, places):
    """M/M/1/K: probabilities are a geometric series."""
    text = f"arrive = {arrive}; serve = {serve}; Q0 = (arrive, arrive).Q1;"
    for n in range(1, places):
        text += f"Q{n} = (arrive, arrive).Q{n + 1} + (serve, serve).Q{n - 1};"
    text += f"Q{places} = (serve, serve).Q{places - 1}; Q0"
    steady = pepa.Model(text).solve()
    pi = (arrive / serve) ** np.arange(places + 1)
    pi /= pi.sum()
    assert np.abs(steady.pi - pi).max() < 1e-14
    assert steady.throughputs["serve"] == pytest.approx(arrive * (1 - pi[-1]), rel=1e-12)
    assert steady.populations[f"Q{places}"] == pytest.approx(pi[-1], rel=1e-12)
    assert steady.probability(f"Q0 == 1 || Q{places} == 1") == pytest.approx(pi[0] + pi[-1])


@pytest.mark.parametrize("method", ["direct", "gth", "gauss-seidel", "sor", "jacobi", "power",
                                    "bicgstab", "gmres", "multilevel", "idr"])
def test_methods_agree(method):
    chain = chain_of("web_server")
    steady = chain.solve(method=method, tolerance=1e-12)
    assert method.split("-")[0] in steady.info.method
    assert np.abs(steady.pi - long_run(chain.generator())).max() < 1e-9
    assert 0 <= steady.info.residual <= steady.info.tolerance == 1e-12


def test_measures(queue):
    steady = queue.solve()
    values = steady.measures(["N = population:One + 2 * population:Two", "N / throughput:serve"])
    assert values["N"] == pytest.approx(4 / 7, rel=1e-14)
    assert values["N / throughput:serve"] == pytest.approx(2 / 3, rel=1e-14)
    assert steady.measure({"X": "throughput:serve"}) == pytest.approx(6 / 7, rel=1e-14)
    compiled = pepa.Measures(queue, "throughput:arrive\nthroughput:serve")
    assert len(compiled) == 2
    assert steady.measures(compiled).array == pytest.approx([6 / 7, 6 / 7], rel=1e-14)


def test_measure_without_a_value_is_nan(queue):
    assert np.isnan(queue.solve().measure("1 / (throughput:serve - throughput:serve)"))


def test_values_are_a_mapping(queue):
    values = queue.solve().throughputs
    assert list(values) == values.names == ["arrive", "serve"]
    assert dict(values) == {"arrive": values.array[0], "serve": values.array[1]}
    assert len(values) == 2 and "serve" in values and "none" not in values
    with pytest.raises(KeyError):
        values["none"]


def test_top(queue):
    assert [(n, text) for _, n, text in queue.solve().top(2)] == [(0, "(Empty)"), (1, "(One)")]


def test_warm_start_does_not_touch_the_guess(queue):
    chain = queue.derive()
    guess = np.array([0.2, 0.3, 0.5])
    steady = chain.solve(warm_start=guess, method="gauss-seidel")
    assert np.array_equal(guess, [0.2, 0.3, 0.5])
    assert steady.pi == pytest.approx([4 / 7, 2 / 7, 1 / 7])
    again = chain.solve(warm_start=steady.pi, method="gauss-seidel")
    assert again.info.iterations <= steady.info.iterations
    with pytest.raises(ValueError, match="3 entries"):
        chain.solve(warm_start=[1.0])


def test_measures_after_a_change_of_rates_are_refused(queue):
    chain = queue.derive()
    steady = chain.solve()
    chain.set_rates(serve=3)
    for ask in (lambda: steady.throughputs, lambda: steady.populations,
                lambda: steady.utilisations, lambda: steady.measure("throughput:serve")):
        with pytest.raises(pepa.ArgumentError, match="rates have changed"):
            ask()
    assert chain.solve().throughputs["serve"] == pytest.approx(12 / 13)


def test_pi_of_another_size_is_refused(queue):
    steady = queue.solve()
    steady.pi = steady.pi[:2]
    with pytest.raises(ValueError, match="3 entries"):
        steady.throughputs


def test_threads_solve_one_chain():
    chain = chain_of("web_server")
    right = chain.solve().pi
    found = []

    def solve():
        for _ in range(20):
            found.append(chain.solve(threads=1).pi)

    threads = [threading.Thread(target=solve) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80 and all(np.array_equal(pi, right) for pi in found)


def test_frames_and_tables(queue):
    steady = queue.solve()
    frame = steady.throughputs.to_frame()
    assert frame.loc["serve", "throughput"] == steady.throughputs["serve"]
    states = steady.to_frame()
    assert np.array_equal(states["probability"], steady.pi)
    assert list(states[(0, "Two")]) == [0, 0, 1]
    assert "<td>serve</td><td>0.8571428571</td>" in steady._repr_html_()
    assert "&lt;" in pepa.Values(["<"], np.ones(1), "x")._repr_html_()


def test_plot(queue):
    ax = queue.solve().plot()
    assert [round(bar.get_width(), 12) for bar in ax.patches] == pytest.approx([4/7, 2/7, 1/7])
