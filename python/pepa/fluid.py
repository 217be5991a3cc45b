"""Large populations by differential equations, at a cost that does not depend on their size."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Union

from ._call import Call
from ._memory import doubles, pointer_to
from ._native import ffi, lib
from ._numpy import np
from .measures import measures_of
from .results import Curves, EstimateCurves, Values, info_of

if TYPE_CHECKING:
    from .model import Model

__all__ = ["FluidInfo", "FluidMoments"]


class FluidInfo(NamedTuple):
    """How the equations were solved: PepaFluidInfo of pepa_fluid.h.

    ``closure`` is a PepaClosure: 0 normally distributed populations, 1 linear noise, 2 bounds.
    """

    variables: int
    equations: int
    steps: int
    turns: int
    residual: float
    settled: float
    single: int
    closure: int
    moment_steps: int
    seconds: float


class FluidMoments(NamedTuple):
    """Means of second order, standard deviations and the fluid limit: Values where populations
    settle, Curves at times."""

    mean: Union[Values, Curves]
    deviation: Union[Values, Curves]
    fluid: Union[Values, Curves]

    def band(self) -> EstimateCurves:
        """At times: means with a standard deviation to each side, to be drawn."""
        mean, deviation = self.mean, self.deviation
        if not (isinstance(mean, Curves) and isinstance(deviation, Curves)):
            raise TypeError("band() is of moments at times")
        return EstimateCurves("time", mean.axis, mean.names, mean.values,
                              mean.values - deviation.values, mean.values + deviation.values,
                              mean.info)


def fluid_of(model: "Model", what, times, moments: bool, options):
    """See Model.fluid."""
    measures = measures_of(model, what)
    at = ffi.new("PepaFluid *")
    rows = 1
    if times is None:
        at.steady = 1
    else:
        times = doubles(times, "times")
        memory = pointer_to(times)
        at.time = memory
        at.count = rows = len(times)
    parts = 3 if moments else 1
    values = np.empty((rows, len(measures), parts))
    memory_out = ffi.from_buffer("double[]", values)
    info = ffi.new("PepaFluidInfo *")
    call = Call()
    settings = call.settings(options)
    if moments:
        status = lib.pepa_fluid_moments(model._p, measures._p, at, settings,
                                        ffi.cast("PepaMoment *", memory_out), info, call.err)
    else:
        status = lib.pepa_fluid_measures(model._p, measures._p, at, settings, memory_out, info,
                                         call.err)
    call.check(status)
    how = info_of(FluidInfo, info)
    each = [_answer(measures.names, times, np.ascontiguousarray(values[..., part]), how)
            for part in range(parts)]
    return FluidMoments(*each) if moments else each[0]


def _answer(names, times, values: np.ndarray, info: FluidInfo):
    if times is None:
        return Values(names, values[0], "value")
    return Curves("time", times, names, values, info)
