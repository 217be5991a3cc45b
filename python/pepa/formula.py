"""Model checking: formulas of CSL with rewards.  pepa-measures(5) has the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np

from ._call import Call
from ._native import ffi, lib

if TYPE_CHECKING:
    from .chain import Chain
    from .model import Model

__all__ = ["Formula", "StateVerdicts", "Verdict"]


class Formula:
    """A formula about a model, such as ``"P>=0.99 [ true U[0,5] {Served >= 1} ]"``."""

    __slots__ = ("model", "text", "_p")

    model: "Model"
    text: str
    _p: Any

    def __init__(self, model: "Model", text: str) -> None:
        call = Call()
        out = ffi.new("PepaFormula **")
        data = text.encode()
        call.check(lib.pepa_formula_new(out, model._p, b"formula", data, len(data),
                                        lib.pepa_py_diagnose, call.user, call.err))
        self._p = ffi.gc(out[0], lib.pepa_formula_free)
        self.model = model
        self.text = text

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"


def formula_of(model: "Model", what: Union[Formula, str]) -> Formula:
    """A formula as it is, or read from text."""
    return what if isinstance(what, Formula) else Formula(model, what)


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
    formula = formula_of(chain.model, what)
    out = ffi.new("PepaVerdict *")
    call = Call()
    settings = call.settings(options)
    with chain._in_use():
        status = lib.pepa_formula_check(formula._p, chain._p, settings, out, call.err)
    call.check(status)
    return Verdict(None if out.holds < 0 else bool(out.holds), out.value, out.error_bound)


def state_verdicts_of(chain: "Chain", what, options) -> StateVerdicts:
    """See Chain.check_states."""
    formula = formula_of(chain.model, what)
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
