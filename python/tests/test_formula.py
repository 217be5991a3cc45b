"""Formulas against closed forms."""

import numpy as np
import pytest

import pepa

STAGES = "r = 2; A = (x, r).B; B = (y, r).C; C = (z, r).A; A"


def test_a_probability():
    chain = pepa.Model(STAGES).derive()
    exact = 1 - 3 * np.exp(-2)
    verdict = chain.check("P=? [ true U[0,1] {C == 1} ]")
    assert verdict.holds is None and verdict.value == pytest.approx(exact, abs=1e-9)
    assert abs(verdict.value - exact) <= verdict.error_bound + 1e-15
    assert chain.check(f"P>={exact - 1e-6} [ true U[0,1] {{C == 1}} ]").holds is True
    assert chain.check(f"P>={exact + 1e-6} [ true U[0,1] {{C == 1}} ]").holds is False


def test_all_states():
    chain = pepa.Model(STAGES).derive()
    formula = pepa.Formula(chain.model, "P>=0.7 [ true U[0,1] {C == 1} ]")
    found = chain.check_states(formula)
    exact = [1 - 3 * np.exp(-2), 1 - np.exp(-2), 1.0]
    assert found.value == pytest.approx(exact, abs=1e-9)
    assert list(found.holds) == [0, 1, 1] and found.error_bound.max() < 1e-6
    only = chain.check_states("P=? [ true U[0,1] {C == 1} ]")
    assert only.holds is None and only.value == pytest.approx(exact, abs=1e-9)
    plain = chain.check_states("{C == 1}")
    assert list(plain.holds) == [0, 0, 1] and plain.value is None and plain.error_bound is None


def test_mistakes():
    model = pepa.Model(STAGES)
    with pytest.raises(pepa.ArgumentError) as caught:
        pepa.Formula(model, "P>=0.7 [ true U[0,1] {D == 1} ]")
    assert caught.value.column > 1 and "^" in str(caught.value)
    other = pepa.Formula(model, "{C == 1}")
    with pytest.raises(pepa.ArgumentError):
        pepa.Model(STAGES).derive().check(other)
