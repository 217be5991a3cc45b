"""Model checking: formulas of CSL with rewards.  pepa-measures(5) has the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional

from ._call import Call
from ._native import ffi, lib
from ._numpy import np
from .measures import ModelText

if TYPE_CHECKING:
    from .chain import Chain

__all__ = ["Formula", "StateVerdicts", "Verdict"]


class Formula(ModelText):
    """A formula about a model, such as ``"P>=0.99 [ true U[0,5] {Served >= 1} ]"``."""

    __slots__ = ()
    _kind = "formula"


class Verdict(NamedTuple):
    """Whether a formula holds in the initial state; None: it asks for a number, by ``=?``.

    ``value`` is that of the outermost operator, NaN without one; ``error_bound`` is proved.
    """

    holds: Optional[bool]
    value: float
    error_bound: float


class StateVerdicts(NamedTuple):
    """The same for each state as the initial one; ``holds``: 1, 0, or 2 where it is not known.
    None for what the formula does not have."""

    holds: Optional[np.ndarray]
    value: Optional[np.ndarray]
    error_bound: Optional[np.ndarray]


def verdict_of(chain: "Chain", what, options) -> Verdict:
    """See Chain.check."""
    formula = Formula.of(chain.model, what)
    out = ffi.new("PepaVerdict *")
    call = Call()
    settings = call.settings(options)
    with chain._in_use():
        status = lib.pepa_formula_check(formula._p, chain._p, settings, out, call.err)
    call.check(status)
    return Verdict(None if out.holds < 0 else bool(out.holds), out.value, out.error_bound)


def state_verdicts_of(chain: "Chain", what, options) -> StateVerdicts:
    """See Chain.check_states."""
    formula = Formula.of(chain.model, what)
    holds = np.full(chain.states, 255, np.uint8)
    value, error = np.full(chain.states, -1.0), np.full(chain.states, -1.0)
    call = Call()
    settings = call.settings(options)
    with chain._in_use():
        status = lib.pepa_formula_states(
            formula._p, chain._p, settings, ffi.from_buffer("uint8_t[]", holds),
            ffi.from_buffer("double[]", value), ffi.from_buffer("double[]", error), call.err)
    call.check(status)
    has_value = error[0] >= 0  # a bound that was written is not negative
    return StateVerdicts(holds if holds[0] <= 2 else None, value if has_value else None,
                         error if has_value else None)
