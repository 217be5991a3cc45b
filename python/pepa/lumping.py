"""Measures from a smaller chain with the same values: exact ordinary lumping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._call import Call
from ._memory import Handle, Native
from ._native import ffi, lib
from ._numpy import np
from .errors import ArgumentError
from .measures import measures_of
from .results import SolveInfo, Values, info_of

if TYPE_CHECKING:
    from .chain import Chain

__all__ = ["Lumping"]


class Lumping(Native):
    """The coarsest lumping of a chain that keeps some measures, at the rates that it had.

    ``states`` are put together in ``blocks``; ``transitions`` join blocks; ``spread`` is the most
    by which rates out of one block differ, as a share, by rounding.
    """

    __slots__ = ("chain", "measures", "states", "blocks", "transitions", "spread", "info",
                 "_handle", "_version")

    def __init__(self, chain: "Chain", what, **options) -> None:
        self.measures = measures_of(chain.model, what)
        self.chain = chain
        call = Call()
        out = ffi.new("PepaLumping **")
        settings = call.settings(options)
        with chain._in_use():
            self._version = chain._version
            status = lib.pepa_lumping_new(out, chain._p, self.measures._p, settings, call.err)
        call.check(status)
        self._handle = Handle(out[0], lib.pepa_lumping_free, chain._p, self.measures)
        info = lib.pepa_lumping_info(out[0])
        self.states = info.states
        self.blocks = info.blocks
        self.transitions = info.transitions
        self.spread = info.spread
        self.info = None

    def block(self, state: int) -> int:
        """The block of a state; blocks are numbered by their smallest states."""
        if not 0 <= state < self.states:
            raise IndexError(f"there are states 0 .. {self.states - 1}, not {state}")
        return lib.pepa_lumping_block(self._handle.pointer, state)

    def solve(self, **options) -> Values:
        """The measures in the long run; ``info`` says how the chain of blocks was solved."""
        value = np.empty(len(self.measures))
        info = ffi.new("PepaInfo *")
        call = Call()
        settings = call.settings(options)
        with self.chain._in_use():
            if self._version != self.chain._version:
                raise ArgumentError("the chain's rates have changed since it was lumped")
            status = lib.pepa_lumping_solve(self._handle.pointer, settings, ffi.NULL,
                                            ffi.from_buffer("double[]", value), info, call.err)
        call.check(status, lambda: info_of(SolveInfo, info) if info.method else None)
        self.info = info_of(SolveInfo, info)
        return Values(self.measures.names, value, "value")

    def __repr__(self) -> str:
        return f"<Lumping of {self.chain.model.name}: {self.states} states in {self.blocks} blocks>"
