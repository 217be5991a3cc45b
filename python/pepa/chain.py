"""Chains: the states of a model, its transitions and its generator."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, List, Mapping, NamedTuple, Optional, Tuple

from ._call import Call, Options, defines_of, mapping, string_of, taken_text
from ._memory import Guard, Native, view
from ._native import ffi, lib
from ._numpy import np
from .errors import ArgumentError, text_of
from .experiment import Experiment, experiment_of
from .formula import StateVerdicts, Verdict, state_verdicts_of, verdict_of
from .lumping import Lumping
from .measures import AnyMeasures, Measures, Predicate
from .passage import Passage
from .results import Curves
from .steady import Distribution, Solver, SteadyState
from .transient import distribution_of, transient_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from typing_extensions import Unpack

    from .model import Model

__all__ = ["Chain", "Position", "Transitions"]


class Position(NamedTuple):
    """A sequential component of the system equation; P[n] is one position with n copies."""

    component: str
    copies: int
    local_states: Tuple[str, ...]


class Transitions(NamedTuple):
    """Transitions sorted by source, action and target, one entry each.

    ``row[s] .. row[s + 1] - 1`` are those out of state s.  ``row`` and ``target`` are the library's
    memory, without a copy; ``action`` counts as ``Chain.actions``.
    """

    row: np.ndarray
    source: np.ndarray
    action: np.ndarray
    target: np.ndarray
    rate: np.ndarray


class Chain(Native):
    """The continuous-time Markov chain of a model: structure fixed, rates settable.

    Threads may work with one chain at the same time; while they do, ``set_rates`` raises
    ArgumentError.
    """

    __slots__ = ("model", "states", "transition_count", "deadlocks", "bottom_components",
                 "aggregated", "symbolic", "actions", "positions", "local_states", "_p", "_width",
                 "_guard", "_rates", "_solver")

    model: "Model"
    states: int
    transition_count: int
    deadlocks: int
    bottom_components: int
    aggregated: bool
    symbolic: bool
    actions: List[str]
    positions: List[Position]
    local_states: List[str]

    def __init__(self, model: "Model", **options: "Unpack[Options]") -> None:
        call = Call()
        out = ffi.new("PepaChain **")
        status = lib.pepa_chain_derive(out, model._p, call.settings(options), call.err)
        self._p = ffi.gc(out[0], lib.pepa_chain_free)
        call.check(status)
        self.model = model
        info = lib.pepa_chain_info(self._p)
        self.states = info.states
        self.transition_count = info.transitions
        self.deadlocks = info.deadlocks
        self.bottom_components = info.bottom_components
        self.aggregated = bool(info.aggregated)
        self.symbolic = bool(info.symbolic)
        self.actions = [text_of(lib.pepa_chain_action_name(self._p, i))
                        for i in range(info.actions)]
        self.local_states = [text_of(lib.pepa_chain_local_name(self._p, i))
                             for i in range(info.local_states)]
        self.positions = [self._position(i) for i in range(info.positions)]
        self._width = info.counts
        self._guard = Guard("chain")
        self._rates: Optional[Measures] = None
        self._solver: Solver = Solver(self._p)

    def _position(self, i: int) -> Position:
        p = lib.pepa_chain_position(self._p, i)
        return Position(text_of(p.component), p.copies,
                        tuple(self.local_states[p.local[k]] for k in range(p.local_count)))

    def __len__(self) -> int:
        return self.states

    def __repr__(self) -> str:
        return (f"<Chain of {self.model.name}: {self.states} states, "
                f"{self.transition_count} transitions>")

    def _in_use(self):
        """Context in which the rates stay as they are, for calls without the interpreter lock."""
        return self._guard.reading()

    @property
    def _version(self) -> int:
        return self._guard.version

    # ---- states ------------------------------------------------------------------------------

    @property
    def count_names(self) -> list:
        """What the columns of ``counts`` are: (number of the position, local state)."""
        return [(number, local) for number, position in enumerate(self.positions)
                for local in position.local_states]

    def counts(self, state: Optional[int] = None) -> np.ndarray:
        """Copies in each local state of each position: of a state, or a row for each state."""
        first, count = (0, self.states) if state is None else (self._check(state), 1)
        rows = np.empty((count, self._width), np.int32)
        call = Call()
        with self._in_use():
            call.check(lib.pepa_py_counts(self._p, first, count, ffi.from_buffer("int32_t[]", rows),
                                          call.err))
        return rows if state is None else rows[0]

    def _check(self, state: int) -> int:
        if not 0 <= state < self.states:
            raise IndexError(f"there are states 0 .. {self.states - 1}, not {state}")
        return state

    def state_text(self, state: int) -> str:
        """A state in words: "(Stage1, Client:3|ClientWait:1)"."""
        self._check(state)
        return taken_text(Call(), lambda out, err: lib.pepa_chain_state_text(
            self._p, state, out, err))

    def bottom(self, state: int) -> Optional[int]:
        """The bottom component of a state; None: it is left for ever."""
        component = lib.pepa_chain_bottom(self._p, self._check(state))
        return None if component < 0 else component

    def where(self, predicate) -> np.ndarray:
        """In which states a predicate is true: a boolean array."""
        predicate = Predicate.of(self.model, predicate)
        out = np.empty(self.states, np.bool_)
        call = Call()
        with self._in_use():
            call.check(lib.pepa_predicate_states(predicate._p, self._p,
                                                 ffi.from_buffer("uint8_t[]", out), call.err))
        return out

    # ---- transitions -------------------------------------------------------------------------

    def transitions(self) -> Transitions:
        """All transitions, with the present rates."""
        call = Call()
        t = ffi.new("PepaTransitions *")
        with self._in_use():
            call.check(lib.pepa_chain_transitions(self._p, t, call.err))
            row = view(t.row, self.states + 1, np.int64, self)
            count = int(row[-1])
            target = view(t.target, count, np.int32, self)
            kind = (view(t.narrow, count, np.uint16, self) if t.narrow
                    else view(t.wide, count, np.int32, self))
            kinds = int(kind.max()) + 1 if count else 0
            rate = view(t.rate, kinds, np.int32, self)
            value = view(t.value, int(rate.max()) + 1 if kinds else 0, np.float64, self)
            source = np.repeat(np.arange(self.states, dtype=np.int32), np.diff(row))
            return Transitions(row, source, view(t.action, kinds, np.int32, self)[kind], target,
                               value[rate][kind])

    def generator(self) -> "csr_matrix":
        """The generator Q with the present rates, diagonal included: a scipy.sparse.csr_matrix.

        Entries and columns are memory that the library has made for this matrix, not copied again.
        """
        from scipy.sparse import csr_matrix

        call = Call()
        q = ffi.gc(ffi.new("PepaMatrix *"), lib.pepa_matrix_free)
        with self._in_use():
            call.check(lib.pepa_chain_generator(self._p, q, call.err))
        # scipy wants both kinds of indices to be of one type: 32 bits where these suffice, as it
        # has them itself; entries of that type it does not inspect.
        row = view(q.row, q.n + 1, np.int64, q)
        entries = int(row[-1])
        kind = np.int32 if entries <= np.iinfo(np.int32).max else np.int64
        return csr_matrix((view(q.val, entries, np.float64, q),
                           view(q.col, entries, np.int32, q).astype(kind, copy=False),
                           row.astype(kind)), shape=(q.n, q.n))

    # ---- rates -------------------------------------------------------------------------------

    @property
    def rates(self) -> dict:
        """The present values of the model's rates, those computed from others included; NaN for
        those without a number."""
        values = self.model.rates
        known = [name for name, value in values.items() if math.isfinite(value)]
        if self._rates is None:
            self._rates = Measures(self.model, [f"rate:{name}" for name in known])
        out = np.empty(len(known))
        nowhere = np.zeros(self.states)  # these measures depend on no distribution
        call = Call()
        with self._in_use():
            call.check(lib.pepa_measures_values(
                self._rates._p, self._p, ffi.from_buffer("double[]", nowhere),
                ffi.from_buffer("double[]", out), call.err))
        values.update(zip(known, out.tolist()))
        return values

    def set_rates(self, rates: Optional[Mapping[str, float]] = None, **more: float) -> None:
        """Give rates other values: ``chain.set_rates(mu=2)``.  Nothing is explored again."""
        rates = {**mapping({} if rates is None else rates, "rates"), **more}
        array, names = defines_of(rates, "rates")
        self._guard.change(Call(), lib.pepa_chain_set_rates, self._p, array, len(names))

    # ---- analyses ----------------------------------------------------------------------------

    def solve(self, *, warm_start: Optional[np.ndarray] = None,
              **options: "Unpack[Options]") -> SteadyState:
        """The long-run distribution from the initial state.

        Options: threads, memory, method, matrix, precondition, tolerance, max_iter, progress.
        ``warm_start``: a distribution to begin from, such as ``pi`` of a solution at other rates.
        Raises ConvergenceError with ``info``, LimitError, UnsupportedError.
        """
        return self._solver.solve(self, warm_start, options)

    def check(self, formula, **options: "Unpack[Options]") -> Verdict:
        """Whether a formula of CSL holds in the initial state, proved; see pepa-measures(5)."""
        return verdict_of(self, formula, options)

    def check_states(self, formula, **options: "Unpack[Options]") -> StateVerdicts:
        """The same for each state as the initial one: arrays with an entry per state."""
        return state_verdicts_of(self, formula, options)

    def lump(self, measures: AnyMeasures, **options: "Unpack[Options]") -> Lumping:
        """The smallest chain with the same values of some measures: exact ordinary lumping."""
        return Lumping(self, measures, **options)

    def experiment(self, measures: AnyMeasures, vary: Mapping[str, Any], *,
                   failures: str = "raise", **options: "Unpack[Options]") -> Experiment:
        """Measures in the long run while rates vary: ``vary={"mu": [1, 2, 3], "n": range(1, 9)}``.

        Every combination of values is a point.  The chain stays as it is; where a rate decides a
        number of copies, chains are derived as necessary.  With ``failures="nan"`` a point that
        cannot be solved has no values, and the others are solved all the same.
        """
        return experiment_of(self, measures, vary, failures, options)

    def transient(self, times, measures: AnyMeasures, *, accumulated: bool = False,
                  **options: "Unpack[Options]") -> Curves:
        """Measures at times, which ascend, from the initial state; ``info`` has a proved bound.

        ``accumulated``: throughputs count completions until then, and populations and probabilities
        are integrals over time.  ``tolerance`` is the most that truncation adds to an error.
        """
        return transient_of(self, times, measures, accumulated, options)

    def distribution(self, time: float, **options: "Unpack[Options]") -> Distribution:
        """The distribution over the states at a time."""
        return distribution_of(self, time, options)

    def passage(self, **how) -> Passage:
        """Passage times from the initial state, as ``chain.passage(to_states="Down >= 2")``; those
        in the long run are ``chain.solve().passage(...)``.  See Passage."""
        if not how.setdefault("from_start", True):
            raise ArgumentError("from_start: passages in the long run are chain.solve().passage(...)")
        return Passage(self, None, **how)
