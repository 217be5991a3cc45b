"""Derivatives against closed forms and differences; proved bounds against exact values."""

from fractions import Fraction

import numpy as np
import pytest
from conftest import MODELS

import pepa


def test_derivatives_of_a_queue(queue):
    """X = mu (1 - 1 / (1 + rho + rho^2)) with rho = lambda / mu."""
    s = queue.solve().sensitivity("throughput:serve")
    lam, mu = 1.0, 2.0
    d = lam**2 + lam * mu + mu**2
    assert s.value == pytest.approx(mu * (1 - mu**2 / d), rel=1e-14)
    assert s.derivatives["arrive"] == pytest.approx(mu**3 * (2 * lam + mu) / d**2, rel=1e-9)
    by_mu = 1 - (3 * mu**2 * d - mu**3 * (lam + 2 * mu)) / d**2
    assert s.derivatives["serve"] == pytest.approx(by_mu, rel=1e-9)
    assert sum(s.elasticities.array) == pytest.approx(1)
    assert s.info.residual <= s.info.tolerance


def test_derivatives_follow_the_rates_that_were_set(queue):
    chain = queue.derive()
    chain.set_rates(serve=5)
    s = chain.solve().sensitivity({"X": "throughput:serve"})
    assert s.measure == "X"
    assert s.elasticities["serve"] == pytest.approx(s.derivatives["serve"] * 5 / s.value)
    assert sum(s.elasticities.array) == pytest.approx(1)


def test_elasticities_of_rates_that_are_computed():
    """X = 3 r s / (r + s) with s = 2 r by definition: s has elasticity r / (r + s), r has all."""
    chain = pepa.Model("r = 1; s = 2 * r; n = 3; P = (a, r).Q; Q = (b, s).P; P[n]").derive()
    chain.set_rates(r=3)
    s = chain.solve().sensitivity("throughput:a")
    assert s.value == pytest.approx(6)
    assert s.elasticities["s"] == pytest.approx(1 / 3)
    assert s.elasticities["r"] == pytest.approx(1)
    assert np.isnan(s.elasticities["n"])


def test_derivatives_by_differences():
    chain = pepa.Model.load(MODELS / "web_server.pepa").derive()
    measure = "population:ServerDown / throughput:flush"
    s = chain.solve(tolerance=1e-13).sensitivity(measure, tolerance=1e-12)
    rates = chain.model.rates
    for name in ("request", "repair", "fail", "flush"):
        value = []
        for sign in (1, -1):
            chain.set_rates({name: rates[name] * (1 + sign * 1e-4)})
            value.append(chain.solve(tolerance=1e-13).measure(measure))
            chain.set_rates({name: rates[name]})
        difference = (value[0] - value[1]) / (2e-4 * rates[name])
        assert s.derivatives[name] == pytest.approx(difference, rel=1e-5)
    assert np.isnan(s.derivatives["servers"])


def test_bounds_contain_the_exact_value(queue):
    bounds = queue.solve().bounds(["throughput:serve", "population:Two"])
    x = bounds["throughput:serve"]
    assert Fraction(x.low) <= Fraction(6, 7) <= Fraction(x.high)
    assert x.low <= x.value <= x.high and x.high - x.low < 1e-13
    two = bounds["population:Two"]
    assert Fraction(two.low) <= Fraction(1, 7) <= Fraction(two.high)
    assert list(bounds) == ["throughput:serve", "population:Two"] and len(bounds) == 2
    with pytest.raises(KeyError):
        bounds["none"]


def test_bounds_hold_for_a_poor_distribution(queue):
    steady = queue.solve()
    steady.pi = np.array([0.5, 0.3, 0.2])
    x = steady.bounds("throughput:serve")["throughput:serve"]
    assert Fraction(x.low) <= Fraction(6, 7) <= Fraction(x.high)


def test_wrong_measures(queue):
    steady = queue.solve()
    with pytest.raises(pepa.ArgumentError):
        steady.sensitivity("throughput:none")
    with pytest.raises(pepa.ArgumentError):
        steady.sensitivity("1 / (throughput:serve - throughput:serve)")
    steady.chain.set_rates(serve=3)
    with pytest.raises(pepa.ArgumentError, match="rates have changed"):
        steady.sensitivity("throughput:serve")
    with pytest.raises(pepa.ArgumentError, match="rates have changed"):
        steady.bounds("throughput:serve")


def test_frames_and_plots(queue):
    steady = queue.solve()
    s = steady.sensitivity("throughput:serve")
    assert list(s.to_frame().columns) == ["derivative", "elasticity"]
    assert len(s.plot().patches) == 2 and "throughput:serve = 0.857" in s._repr_html_()
    bounds = steady.bounds("throughput:serve")
    assert bounds.to_frame().loc["throughput:serve", "low"] == bounds.low[0]
    bounds.plot()
    assert "<th>low</th>" in bounds._repr_html_()
