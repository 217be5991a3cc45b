"""How measures of the long run depend on the rates, and between which numbers they are, proved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._call import Call
from ._native import ffi, lib
from ._numpy import np
from .errors import ArgumentError, text_of
from .measures import measures_of
from .results import Estimates, SolveInfo, Values, axes_or_new, frames, html_table, info_of

if TYPE_CHECKING:
    from .steady import SteadyState

__all__ = ["Sensitivity"]


class Sensitivity:
    """A measure's ``value``, its ``derivatives`` by rates, and ``elasticities``.

    An elasticity of 0.3 says that a rate that is 1% larger makes the measure 0.3% larger.  NaN for
    rates that cannot be set, such as numbers of copies.
    """

    __slots__ = ("measure", "value", "derivatives", "elasticities", "info")

    def __init__(self, measure: str, value: float, rates: dict, derivatives: np.ndarray,
                 info: SolveInfo) -> None:
        self.measure = measure
        self.value = value
        self.info = info
        self.derivatives = Values(list(rates), derivatives, "derivative")
        with np.errstate(divide="ignore", invalid="ignore"):
            elasticities = derivatives * np.array(list(rates.values())) / value
        self.elasticities = Values(list(rates), elasticities, "elasticity")

    def __repr__(self) -> str:
        return f"<Sensitivity of {self.measure} = {self.value:.10g}: {self.elasticities!r}>"

    def to_frame(self):
        """A pandas.DataFrame with a row for each rate: derivative, elasticity."""
        pandas = frames()
        return pandas.DataFrame({"derivative": self.derivatives.array,
                                 "elasticity": self.elasticities.array},
                                index=self.derivatives.names)

    def plot(self, ax=None, **style):
        """Elasticities as bars on matplotlib axes, which are returned; those of rates that can be
        set."""
        known = {n: v for n, v in self.elasticities.items() if np.isfinite(v)}
        values = Values(list(known), np.array(list(known.values())), "elasticity")
        ax = values.plot(axes_or_new(ax), **style)
        ax.set_title(self.measure)
        return ax

    def _repr_html_(self) -> str:
        rows = [[name, d, self.elasticities[name]] for name, d in self.derivatives.items()]
        return html_table(["rate", "derivative", "elasticity"], rows,
                          f"{self.measure} = {self.value:.10g}")


def sensitivity_of(steady: "SteadyState", measure, options) -> Sensitivity:
    """See SteadyState.sensitivity; of several measures, the last."""
    chain = steady.chain
    measures = measures_of(chain.model, measure)
    if len(measures) == 0:
        raise ArgumentError("there is no measure")
    rates = chain.rates
    derivatives = np.empty(len(rates))
    value = ffi.new("double *")
    info = ffi.new("PepaInfo *")
    call = Call()
    settings = call.settings(options)
    with chain._in_use(), chain._solver.borrowed() as pointer:
        status = lib.pepa_measure_sensitivities(
            pointer, settings, steady._pi(), measures._p, len(measures) - 1, value,
            ffi.from_buffer("double[]", derivatives), info, call.err)
    call.check(status, lambda: info_of(SolveInfo, info))
    return Sensitivity(measures.names[-1], value[0], rates, derivatives, info_of(SolveInfo, info))


def bounds_of(steady: "SteadyState", what, options) -> Estimates:
    """See SteadyState.bounds."""
    chain = steady.chain
    measures = measures_of(chain.model, what)
    low, high = np.empty(len(measures)), np.empty(len(measures))
    info = ffi.new("PepaInfo *")
    call = Call()
    settings = call.settings(options)
    with chain._in_use(), chain._solver.borrowed() as pointer:
        status = lib.pepa_measure_bounds(
            pointer, settings, steady._pi(), measures._p, ffi.from_buffer("double[]", low),
            ffi.from_buffer("double[]", high), info, call.err)
    call.check(status)
    return Estimates(measures.names, steady.measures(measures).array, low, high,
                     info_of(SolveInfo, info) if text_of(info.method) else None)
