"""Differential equations against closed forms, and against scipy's integrator."""

import numpy as np
import pytest
from conftest import MODELS
from scipy.integrate import solve_ivp

import pepa

SWITCHES = "n = 1000; up = 2; down = 3; On = (fail, down).Off; Off = (mend, up).On; On[n]"


def test_linear_rates_are_exact():
    t = np.linspace(0, 2, 9)
    curves = pepa.Model(SWITCHES).fluid(["population:On", "throughput:fail"], t)
    on = 1000 * (0.4 + 0.6 * np.exp(-5 * t))
    assert curves["population:On"] == pytest.approx(on, rel=1e-6)
    assert curves["throughput:fail"] == pytest.approx(3 * on, rel=1e-6)
    assert curves.info.steps > 0


def test_where_populations_settle():
    values = pepa.Model(SWITCHES).fluid({"N": "population:On"})
    assert values["N"] == pytest.approx(400, rel=1e-8)


def test_epidemic_by_another_integrator():
    model = pepa.Model.load(MODELS / "sis_epidemic.pepa", defines={"people": 10_000})
    t = np.array([1.0, 5.0, 20.0])
    found = model.fluid("population:Infected", t, tolerance=1e-10)

    def change(_, x):
        return (10_000 - x) * (0.01 + 2 * x / 10_000) - x

    right = solve_ivp(change, (0, 20), [0.0], t_eval=t, rtol=1e-10, atol=1e-8)
    assert found.values[:, 0] == pytest.approx(right.y[0], rel=1e-6)


def test_moments_of_independent_copies_are_binomial():
    t = np.array([0.1, 0.5, 3.0])
    found = pepa.Model(SWITCHES).fluid("population:On", t, moments=True)
    p = 0.4 + 0.6 * np.exp(-5 * t)
    assert found.mean.values[:, 0] == pytest.approx(1000 * p, rel=1e-5)
    assert found.deviation.values[:, 0] == pytest.approx(np.sqrt(1000 * p * (1 - p)), rel=1e-4)
    settled = pepa.Model(SWITCHES).fluid("population:On", moments=True)
    assert settled.deviation["population:On"] == pytest.approx(np.sqrt(240), rel=1e-6)
    band = found.band()
    assert np.array_equal(band.high, found.mean.values + found.deviation.values)
    assert len(band.plot().collections) == 1


def test_one_among_many():
    """Independent copies: one of them is the model of one."""
    one = pepa.Model(SWITCHES).fluid_individual("On")
    chain = one.derive()
    assert len(chain) == 2
    assert chain.solve().populations["On"] == pytest.approx(0.4)


def test_what_has_no_fluid_limit():
    with pytest.raises(pepa.ArgumentError):
        pepa.Model(SWITCHES).fluid("probability:{On >= 3}", [1.0])
    with pytest.raises(pepa.ArgumentError):
        pepa.Model(SWITCHES).fluid_individual("Nobody")
