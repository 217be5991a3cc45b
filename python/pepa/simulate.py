"""Simulation: estimates with confidence intervals, of models of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, NamedTuple

from ._call import Call, put
from ._memory import doubles, pointer_to
from ._native import ffi, lib
from ._numpy import np
from .experiment import Axes, Experiment, ExperimentInfo
from .measures import measures_of
from .passage import Ends
from .results import Estimate, EstimateCurves, Estimates, info_of

if TYPE_CHECKING:
    from .model import Model

__all__ = ["PassageSample", "SimulationInfo"]


class SimulationInfo(NamedTuple):
    """How a simulation went: PepaSimulationInfo of pepa_simulate.h."""

    runs: int
    events: int
    length: float
    warm_up: float
    width: float
    seconds: float
    tail: float
    seldom: int
    visits: int
    ends: str


class Sampling:
    """A PepaSimulation or PepaPassageSampling with what it points to."""

    __slots__ = ("struct", "times", "_keep")

    def __init__(self, kind: str, times, how: dict) -> None:
        self.struct = ffi.new(kind)
        self._keep: list = []
        self.times = doubles(() if times is None else times, "times")
        self.point("time", "count", self.times)
        for name, value in how.items():
            if value is not None:
                put(self.struct, name, value, name)

    def point(self, member: str, count: str, array: np.ndarray) -> None:
        memory = pointer_to(array)
        self._keep.append(memory)
        setattr(self.struct, member, memory)
        setattr(self.struct, count, len(array))


def estimates_array(*shape: int):
    """An array of PepaEstimate: doubles with a last axis of value, low, high."""
    array = np.empty((*shape, 3))
    return array, ffi.cast("PepaEstimate *", ffi.from_buffer("double[]", array))


# Settings of simulations, apart from options of all analyses.
SAMPLING = ("runs", "relative_width", "confidence", "seed", "events")


def split(options: dict):
    """The settings of a simulation among options, and the rest."""
    return ({name: options[name] for name in SAMPLING if name in options},
            {name: value for name, value in options.items() if name not in SAMPLING})


def steady_or_times(times, how: dict) -> Sampling:
    """A PepaSimulation at times; None: in the long run."""
    sampling = Sampling("PepaSimulation *", times, how)
    sampling.struct.steady = times is None
    return sampling


def simulate_of(model: "Model", what, times, options, rare: bool):
    """See Model.simulate and Model.simulate_rare."""
    measures = measures_of(model, what)
    sampled, options = split(options)
    sampling = steady_or_times(times, sampled)
    rows = 1 if times is None else len(sampling.times)
    array, memory = estimates_array(rows, len(measures))
    info = ffi.new("PepaSimulationInfo *")
    call = Call()
    settings = call.settings(options)
    if rare:
        status = lib.pepa_simulate_rare(model._p, measures._p, sampling.struct, settings, memory,
                                        ffi.NULL, info, call.err)
    else:
        status = lib.pepa_simulate_measures(model._p, measures._p, sampling.struct, settings,
                                            memory, info, call.err)
    call.check(status)
    value, low, high = (np.ascontiguousarray(array[..., part]) for part in range(3))
    how = info_of(SimulationInfo, info)
    if times is None:
        return Estimates(measures.names, value[0], low[0], high[0], how)
    return EstimateCurves("time", sampling.times, measures.names, value, low, high, how)


def simulated_experiment(model: "Model", what, vary, times, failures, options) -> Experiment:
    """See Model.simulate_experiment."""
    measures = measures_of(model, what)
    axes = Axes(vary, failures)
    sampled, options = split(options)
    sampling = steady_or_times(times, sampled)
    shape = axes.shape if times is None else (*axes.shape, len(sampling.times))
    array, memory = estimates_array(*shape, len(measures))
    info = ffi.new("PepaExperimentInfo *", {"failed": -1})
    call = Call()
    settings = call.settings(options)
    status = lib.pepa_experiment_simulate(model._p, measures._p, axes.struct, sampling.struct,
                                          settings, memory, info, call.err)
    axes.check(call, status, info)
    grid = axes.values if times is None else {**axes.values, "time": sampling.times}
    value, low, high = (np.ascontiguousarray(array[..., part]) for part in range(3))
    return Experiment(grid, measures.names, value, axes.failed, info_of(ExperimentInfo, info), low,
                      high)


class PassageSample:
    """Sampled passage times: ``ends``, ``mean`` and ``variance`` with intervals, ``cdf`` and
    ``pdf`` at the times, ``quantiles`` of the shares; ``passages``, ``runs``, ``events``: how many.
    """

    __slots__ = ("ends", "mean", "variance", "cdf", "pdf", "quantiles", "passages", "runs",
                 "events", "seconds")

    ends: Estimate
    mean: Estimate
    variance: Estimate
    cdf: EstimateCurves
    pdf: EstimateCurves
    quantiles: Dict[float, Estimate]
    passages: int
    runs: int
    events: int
    seconds: float

    def __repr__(self) -> str:
        return (f"<PassageSample of {self.passages} passages: mean {self.mean.value:.6g} "
                f"[{self.mean.low:.6g}, {self.mean.high:.6g}]>")


def simulate_passage_of(model: "Model", times, shares, ends: dict, options) -> PassageSample:
    """See Model.simulate_passage."""
    how, options = split(options)
    between = Ends(model, **ends)
    sampling = Sampling("PepaPassageSampling *", times, how)
    shares = doubles(() if shares is None else shares, "shares")
    sampling.point("share", "shares", shares)
    at = sampling.times
    cdf, cdf_memory = estimates_array(len(at))
    pdf, pdf_memory = estimates_array(len(at))
    quantile, quantile_memory = estimates_array(len(shares))
    out = ffi.new("PepaPassageSample *")
    call = Call()
    settings = call.settings(options)
    call.check(lib.pepa_simulate_passage(model._p, between.struct, sampling.struct, settings,
                                         cdf_memory, pdf_memory, quantile_memory, out, call.err))
    sample = PassageSample()
    for name in ("ends", "mean", "variance"):
        each = getattr(out, name)
        setattr(sample, name, Estimate(each.value, each.low, each.high))
    for name in ("passages", "runs", "events", "seconds"):
        setattr(sample, name, getattr(out, name))
    sample.cdf = EstimateCurves("time", at, ["cdf"], cdf[:, :1], cdf[:, 1:2], cdf[:, 2:], None)
    sample.pdf = EstimateCurves("time", at, ["pdf"], pdf[:, :1], pdf[:, 1:2], pdf[:, 2:], None)
    sample.quantiles = {float(share): Estimate(*row)
                        for share, row in zip(shares, quantile.tolist())}
    return sample
