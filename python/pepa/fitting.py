"""Phase-type distributions of measured durations: from samples to rates of a model."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._call import Call, ProgressFunction, choose, data_of, integer, put, string_of, taken_text
from ._memory import Native, doubles, pointer_to, view
from ._native import ffi, lib
from ._numpy import np
from .errors import text_of

__all__ = ["Candidate", "Fit", "FitTest", "SampleMoments", "fit", "read_durations"]

_FAMILY = {"any": lib.PEPA_FIT_ANY, "erlang": lib.PEPA_FIT_ERLANG, "hyper": lib.PEPA_FIT_HYPER,
           "cox": lib.PEPA_FIT_COX, "hyper-erlang": lib.PEPA_FIT_HYPER_ERLANG}
_CRITERION = {"bic": lib.PEPA_FIT_BIC, "aic": lib.PEPA_FIT_AIC}


class SampleMoments(NamedTuple):
    mean: float
    variance: float
    skewness: float


class Candidate(NamedTuple):
    """A distribution that was fitted; the one with the least criterion is the fit."""

    family: str
    phases: int
    parameters: int
    log_likelihood: float
    aic: float
    bic: float
    iterations: int  # of EM; 0: closed form
    converged: bool


class FitTest(NamedTuple):
    """p-values of both distances, by ``runs`` samples that were drawn from the fit."""

    kolmogorov: float
    cramer: float
    runs: int


def read_durations(text: Union[str, bytes], column: Union[str, int, None] = None) -> np.ndarray:
    """Durations from text: one to a line, or a column of comma-separated values."""
    call, data = Call(), data_of(text)
    out = ffi.new("PepaSamples **")
    name = ffi.NULL if column is None else string_of(str(column), "column")
    call.check(lib.pepa_samples_parse(out, b"durations", data, len(data), name,
                                      lib.pepa_py_diagnose, call.user, call.err))
    samples = ffi.gc(out[0], lib.pepa_samples_free)
    return view(lib.pepa_samples_values(samples), lib.pepa_samples_count(samples), np.float64, samples)


class Fit(Native):
    """A phase-type distribution of durations, by maximum likelihood.

    >>> import pepa
    >>> found = pepa.fit([1.0, 2.0, 3.0], family="erlang", phases=1)
    >>> found.rates, found.text()
    ((0.5,), '(work, erlang(1, 0.5))')

    ``rates`` and ``probabilities`` are those of the phases: of hyper the shares, of cox and
    hyper-erlang that another phase follows.  ``kolmogorov`` is the largest difference of the
    distribution functions, ``cramer`` the statistic of Cramér and von Mises.
    """

    __slots__ = ("family", "phases", "samples", "rates", "probabilities", "empirical", "fitted",
                 "kolmogorov", "cramer", "candidates", "chosen", "_p")

    family: str
    phases: int
    samples: int
    rates: Tuple[float, ...]
    probabilities: Tuple[float, ...]
    empirical: SampleMoments
    fitted: SampleMoments
    candidates: List[Candidate]
    chosen: int
    _p: Any

    def __init__(self, durations: Sequence[float], *, family: str = "any", phases: int = 0,
                 max_phases: int = 0, criterion: str = "bic", max_iter: int = 0,
                 tolerance: float = 0, progress: Optional[ProgressFunction] = None) -> None:
        values = doubles(durations, "durations")
        settings = ffi.new("PepaFitSettings *")
        settings.family = choose("family", family, _FAMILY)
        settings.criterion = choose("criterion", criterion, _CRITERION)
        for name, value in (("phases", phases), ("max_phases", max_phases), ("max_iter", max_iter),
                            ("tolerance", tolerance)):
            put(settings, name, value, name)
        call = Call()
        out = ffi.new("PepaFit **")
        call.check(lib.pepa_fit_new(out, pointer_to(values), len(values), settings,
                                    call.settings({"progress": progress}), call.err))
        self._p = p = ffi.gc(out[0], lib.pepa_fit_free)
        info = lib.pepa_fit_info(p)
        self.family = text_of(lib.pepa_fit_family_name(info.family))
        self.phases = info.phases
        self.samples = info.samples
        self.rates = tuple(lib.pepa_fit_rate(p, i) for i in range(info.phases))
        self.probabilities = tuple(lib.pepa_fit_probability(p, i) for i in range(info.phases))
        self.empirical, self.fitted = (SampleMoments(m.mean, m.variance, m.skewness)
                                       for m in (info.empirical, info.fitted))
        self.kolmogorov = info.kolmogorov
        self.cramer = info.cramer
        self.candidates = [self._candidate(i) for i in range(info.candidates)]
        self.chosen = info.chosen

    def _candidate(self, i: int) -> Candidate:
        c = lib.pepa_fit_candidate(self._p, i)
        return Candidate(text_of(lib.pepa_fit_family_name(c.family)), c.phases, c.parameters,
                         c.log_likelihood, c.aic, c.bic, c.iterations, bool(c.converged))

    def _at(self, times, which: int) -> Any:
        values = doubles(np.atleast_1d(times), "times")
        found, both, call = np.empty(len(values)), ffi.new("double[2]"), Call()
        for i, time in enumerate(values):
            call.check(lib.pepa_fit_at(self._p, time, both, both + 1, call.err))
            found[i] = both[which]
        return found if np.ndim(times) else float(found[0])

    def cdf(self, times) -> Any:
        """The distribution function, at one time or many; to some 1e-12."""
        return self._at(times, 0)

    def pdf(self, times) -> Any:
        """The density, likewise."""
        return self._at(times, 1)

    def test(self, runs: int = 99, seed: int = 1,
             progress: Optional[ProgressFunction] = None) -> FitTest:
        """p-values by parametric bootstrap: the same fit of samples that are drawn from this one."""
        call, out = Call(), ffi.new("PepaFitTest *")
        runs, seed = integer("int64_t", runs, "runs"), integer("uint64_t", seed, "seed")
        call.check(lib.pepa_fit_test(self._p, runs, seed, call.settings({"progress": progress}), out,
                                     call.err))
        return FitTest(out.kolmogorov, out.cramer, out.runs)

    def text(self, action: str = "work", *, states: bool = False) -> str:
        """What to paste into a model: an activity, or with ``states`` components of plain PEPA."""
        return taken_text(Call(), lambda out, err: lib.pepa_fit_text(
            self._p, string_of(action, "action"), states, out, err))

    def __repr__(self) -> str:
        return f"<Fit: {self.family}, {self.phases} phases, {self.samples} durations>"


def fit(durations: Sequence[float], **how) -> Fit:
    """Fit durations: see Fit."""
    return Fit(durations, **how)
