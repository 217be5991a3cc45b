"""The values of rates at which a measure is best, within bounds and under constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Mapping, NamedTuple, Sequence, Tuple

from ._call import Call, data_of, mapping, string_of
from ._native import ffi, lib
from ._numpy import np
from .measures import Measures
from .results import Values, info_of

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Optimum", "OptimumInfo"]

_BINDS = {lib.PEPA_BINDS_NOT: "", lib.PEPA_BINDS_LOW: "low", lib.PEPA_BINDS_HIGH: "high"}
_ENDED = {
    lib.PEPA_OPTIMUM_STATIONARY: "stationary",
    lib.PEPA_OPTIMUM_SEARCHED: "searched",
    lib.PEPA_OPTIMUM_ENUMERATED: "enumerated",
    lib.PEPA_OPTIMUM_NEIGHBOURS: "neighbours",
}


class OptimumInfo(NamedTuple):
    """How the optimum was found: PepaOptimum of pepa_optimise.h."""

    objective: float
    violation: float
    tolerance: float
    residual: float
    evaluations: int
    skipped: int
    derived: int
    searches: int
    wrong: int
    solver_residual: float
    seconds: float
    states: int


class Optimum(NamedTuple):
    """The best ``rates``, the ``objective`` and all ``measures`` there.

    ``binding`` says of rates and constraints, by name or text, whether they are at an end: "low",
    "high", or "".  ``ended``: "stationary", "searched", "enumerated" or "neighbours";
    ``is_global``: no combination is better.
    """

    rates: Dict[str, float]
    objective: float
    measures: Values
    binding: Dict[str, str]
    ended: str
    is_global: bool
    info: OptimumInfo


def add_constraint(measures: Measures, text: str, out) -> None:
    """Append the two sides of a constraint to a list of measures."""
    data = data_of(text, "text")
    call = Call()
    call.check(lib.pepa_measures_add_constraint(measures._p, b"constraint", data, len(data),
                                                lib.pepa_py_diagnose, call.user, out, call.err))


def optimise_of(model: "Model", objective: str, within: Mapping[str, Tuple[float, float]],
                subject: Sequence[str], maximise: bool, options) -> Optimum:
    """See Model.minimise."""
    subject = [subject] if isinstance(subject, str) else list(subject)
    measures = Measures(model, objective)
    which = len(measures) - 1
    constraints = ffi.new("PepaConstraint[]", max(len(subject), 1))
    for i, text in enumerate(subject):
        add_constraint(measures, text, constraints + i)
    names = [ffi.new("char[]", string_of(rate, "within")) for rate in mapping(within, "within")]
    bounds = ffi.new("PepaWithin[]", len(names))
    for each, name, (rate, ends) in zip(bounds, names, within.items()):
        each.rate = name
        try:
            each.low, each.high = ends
        except (TypeError, ValueError) as error:
            raise TypeError(f"within: {rate}: two numbers are expected, not {ends!r:.60}") from error
    what = ffi.new("PepaOptimise *", {
        "objective": which, "maximise": bool(maximise), "within": bounds,
        "within_count": len(names), "subject": constraints, "subject_count": len(subject)})
    best = np.empty(len(names))
    values = np.empty(lib.pepa_measures_count(measures._p))
    binding = np.zeros(len(names) + len(subject), np.uint8)
    found = ffi.new("PepaOptimum *")
    call = Call()
    settings = call.settings(options)
    status = lib.pepa_optimise(model._p, measures._p, what, settings,
                               ffi.from_buffer("double[]", best),
                               ffi.from_buffer("double[]", values),
                               ffi.from_buffer("uint8_t[]", binding), found, call.err)
    call.check(status, lambda: info_of(OptimumInfo, found))
    return Optimum(
        dict(zip(within, best.tolist())), found.objective,
        Values(measures.names, values[:len(measures)], "value"),
        dict(zip([*within, *subject], (_BINDS[b] for b in binding.tolist()))),
        _ENDED[found.ended], bool(getattr(found, "global")), info_of(OptimumInfo, found))
