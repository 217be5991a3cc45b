"""Fits against closed forms and SciPy."""

import math

import numpy as np
import pytest
import scipy.stats

import pepa


def test_exponential():
    """The likelihood of one phase is largest at the reciprocal mean."""
    durations = [0.5, 1, 2, 3.5]
    found = pepa.fit(durations, family="erlang", phases=1)
    assert (found.family, found.phases, found.samples) == ("erlang", 1, 4)
    assert found.rates[0] == pytest.approx(1 / 1.75, rel=1e-12)
    assert found.empirical.mean == 1.75 and found.empirical.variance == pytest.approx(np.var(durations))
    assert found.cdf(1.0) == pytest.approx(1 - math.exp(-1 / 1.75), rel=1e-12)
    assert np.allclose(found.pdf(durations), scipy.stats.expon(scale=1.75).pdf(durations), rtol=1e-10)
    candidate = found.candidates[found.chosen]
    likelihood = scipy.stats.expon(scale=1.75).logpdf(durations).sum()
    assert candidate.log_likelihood == pytest.approx(likelihood, rel=1e-12)
    assert candidate.aic == pytest.approx(2 - 2 * likelihood)
    assert candidate.bic == pytest.approx(math.log(4) - 2 * likelihood)
    assert found.kolmogorov == pytest.approx(
        scipy.stats.kstest(durations, scipy.stats.expon(scale=1.75).cdf).statistic, rel=1e-9)


def test_erlang_by_number():
    durations = scipy.stats.gamma(4, scale=0.5).rvs(400, random_state=1)
    found = pepa.fit(durations, family="erlang")
    assert found.phases in (3, 4, 5)
    assert found.rates[0] == pytest.approx(found.phases / durations.mean(), rel=1e-10)
    law = scipy.stats.gamma(found.phases, scale=1 / found.rates[0])
    assert np.allclose(found.cdf(durations), law.cdf(durations), atol=1e-10)
    tested = found.test(runs=19, seed=2)
    assert tested == found.test(runs=19, seed=2) and tested.runs == 19
    assert 0.05 <= tested.kolmogorov <= 1 and 0.05 <= tested.cramer <= 1


@pytest.mark.filterwarnings("ignore::pepa.ModelWarning")  # self-loops
def test_in_a_model():
    """The text in a model takes as long as the fit says: the mean of the passage."""
    durations = np.concatenate([scipy.stats.expon(scale=s).rvs(200, random_state=3) for s in (0.2, 5)])
    found = pepa.fit(durations, family="hyper")
    assert found.phases >= 2 and sum(found.probabilities) == pytest.approx(1)
    for text in (f"P = {found.text('work')}.P;\nP", found.text("work", states=True) + "Time0"):
        steady = pepa.Model(text).solve()
        assert steady.throughputs["work"] == pytest.approx(1 / durations.mean(), rel=1e-8)


def test_reading():
    assert pepa.read_durations("# s\n1\n2.5\n").tolist() == [1, 2.5]
    assert pepa.read_durations("id,seconds\n1,4\n2,5\n", column="seconds").tolist() == [4, 5]
    assert pepa.read_durations(b"1,4\n2,5\n", column=2).tolist() == [4, 5]
    with pytest.raises(pepa.ModelSyntaxError) as caught:
        pepa.read_durations("1\n2 x\n")
    assert caught.value.findings[0].line == 2
    values = pepa.read_durations("3\n")
    assert values.base is not None and not values.flags.writeable


def test_mistakes():
    for wrong in ([], [1, -1], [1, math.nan]):
        with pytest.raises(pepa.ArgumentError):
            pepa.fit(wrong)
    with pytest.raises(ValueError, match="family: 'normal' is none of any, erlang"):
        pepa.fit([1], family="normal")
    with pytest.raises(TypeError, match="phases"):
        pepa.fit([1], phases="two")
    with pytest.raises(pepa.ArgumentError):
        pepa.fit([1, 2]).text("not a name")
    with pytest.raises(ValueError, match="one dimension"):
        pepa.fit([[1, 2]])
