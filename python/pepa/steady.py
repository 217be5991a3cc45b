"""Steady states: the long-run distribution of a chain, and what follows from it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ._call import Call, Options
from ._memory import Handle, doubles
from ._native import ffi, lib
from ._numpy import np
from .errors import ArgumentError
from .measures import AnyMeasures, measures_of
from .passage import Passage
from .results import Estimates, SolveInfo, Values, frames, html_table, info_of
from .sensitivity import Sensitivity, bounds_of, sensitivity_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .chain import Chain

__all__ = ["Distribution", "SteadyState"]


class Solver:
    """The solutions of one chain: what depends on its structure only is kept between them.

    Rates of the chain may change between calls.
    """

    __slots__ = ("_pointer", "_kept")

    def __init__(self, pointer) -> None:
        self._pointer = pointer
        self._kept: list = []

    def _new(self) -> Handle:
        call = Call()
        out = ffi.new("PepaSteady **")
        call.check(lib.pepa_steady_new(out, self._pointer, call.err))
        return Handle(out[0], lib.pepa_steady_free, self._pointer)

    @contextmanager
    def borrowed(self):
        """A PepaSteady for one call: the one that is kept, or, while that is at work, another."""
        try:
            handle = self._kept.pop()
        except IndexError:
            handle = self._new()
        try:
            yield handle.pointer
        finally:
            self._kept[:] = [handle]

    def solve(self, chain: "Chain", warm_start, options) -> "SteadyState":
        call = Call()
        settings = call.settings(options)
        pi = np.empty(chain.states)
        if warm_start is not None:
            guess = doubles(warm_start, "warm_start")
            if len(guess) != chain.states:
                raise ArgumentError(f"warm_start: {chain.states} entries are expected")
            pi[:] = guess
            settings.solve.warm_start = 1
        info = ffi.new("PepaInfo *")
        with chain._in_use(), self.borrowed() as steady:
            version = chain._version
            status = lib.pepa_steady_solve(steady, settings, ffi.from_buffer("double[]", pi), info,
                                           call.err)
        call.check(status, lambda: info_of(SolveInfo, info) if info.method else None)
        return SteadyState(chain, pi, info_of(SolveInfo, info), version)


class Distribution:
    """A distribution over the states: ``pi`` has their probabilities, ``info`` how it was computed.

    Measures are those at the rates that the chain had; if these have been changed since, asking for
    measures raises ArgumentError.
    """

    __slots__ = ("chain", "pi", "info", "_version")

    def __init__(self, chain: "Chain", pi: np.ndarray, info: Any, version: int) -> None:
        self.chain = chain
        self.pi = pi
        self.info = info
        self._version = version

    def _pi(self):
        """The probabilities for the library, in a context in which the chain's rates stay."""
        if self._version != self.chain._version:
            raise ArgumentError("the chain's rates have changed since this was solved")
        pi = np.ascontiguousarray(self.pi, np.float64)
        if pi.shape != (self.chain.states,):
            raise ArgumentError(f"pi: {self.chain.states} entries are expected")
        return ffi.from_buffer("double[]", pi)

    @property
    def throughputs(self) -> Values:
        """Mean completions per unit of time, by action."""
        out = np.empty(len(self.chain.actions))
        with self.chain._in_use():
            lib.pepa_throughputs(self.chain._p, self._pi(), ffi.from_buffer("double[]", out))
        return Values(self.chain.actions, out, "throughput")

    @property
    def populations(self) -> Values:
        """Mean number of components, by local state."""
        out = np.empty(len(self.chain.local_states))
        call = Call()
        with self.chain._in_use():
            call.check(lib.pepa_populations(self.chain._p, self._pi(),
                                            ffi.from_buffer("double[]", out), call.err))
        return Values(self.chain.local_states, out, "population")

    @property
    def utilisations(self) -> Values:
        """Share of time that a copy spends there, by (number of the position, local state)."""
        names = self.chain.count_names
        out = np.empty(len(names))
        call = Call()
        with self.chain._in_use():
            call.check(lib.pepa_utilisations(self.chain._p, self._pi(),
                                             ffi.from_buffer("double[]", out), call.err))
        return Values(names, out, "utilisation")

    def measures(self, what: AnyMeasures) -> Values:
        """Values of measures, given as for Measures; NaN where one has none, as 0 / 0."""
        measures = measures_of(self.chain.model, what)
        out = np.empty(len(measures))
        call = Call()
        with self.chain._in_use():
            call.check(lib.pepa_measures_values(measures._p, self.chain._p, self._pi(),
                                                ffi.from_buffer("double[]", out), call.err))
        return Values(measures.names, out, "value")

    def measure(self, what: AnyMeasures) -> float:
        """The value of a measure; of several, that of the last."""
        values = self.measures(what).array
        if len(values) == 0:
            raise ArgumentError("there is no measure")
        return float(values[-1])

    def probability(self, predicate) -> float:
        """The share of time in states that satisfy a predicate."""
        return float(self.pi[self.chain.where(predicate)].sum())

    def top(self, count: int = 10) -> list:
        """The most probable states: (probability, number, text)."""
        if count < 0:
            raise ArgumentError(f"count: {count} states are not to be had")
        order = np.argsort(-self.pi, kind="stable")[:count]
        return [(float(self.pi[s]), int(s), self.chain.state_text(int(s))) for s in order]

    def __repr__(self) -> str:
        return (f"<{type(self).__name__} of {self.chain.model.name}: {self.chain.states} states"
                f"{self._how()}>")

    def _how(self) -> str:
        return ""

    def to_frame(self):
        """A pandas.DataFrame with a row for each state: its counts and its probability."""
        pandas = frames()
        counts = self.chain.counts()
        columns = pandas.MultiIndex.from_tuples(self.chain.count_names,
                                                names=["position", "local state"])
        frame = pandas.DataFrame(counts, columns=columns)
        frame["probability"] = self.pi
        return frame

    def plot(self, ax=None, **style):
        """The populations as bars on matplotlib axes, which are returned."""
        return self.populations.plot(ax, **style)

    def _repr_html_(self) -> str:
        rows = [["throughput", name, value] for name, value in self.throughputs.items()]
        rows += [["population", name, value] for name, value in self.populations.items()]
        return html_table(["", "of", "value"], rows,
                          repr(self).strip("<>"))


class SteadyState(Distribution):
    """A long-run distribution; ``info`` is a SolveInfo."""

    __slots__ = ()

    def _how(self) -> str:
        return f", by {self.info.method}"

    def sensitivity(self, measure: AnyMeasures, **options: "Unpack[Options]") -> Sensitivity:
        """The value of a measure and its derivatives by all rates.

        Options: method ("gauss-seidel", "bicgstab", "direct"), tolerance, threads, progress.
        """
        return sensitivity_of(self, measure, options)

    def bounds(self, what: AnyMeasures, **options: "Unpack[Options]") -> Estimates:
        """Measures with intervals that contain their exact values, proved, rounding included."""
        return bounds_of(self, what, options)

    def passage(self, **how) -> Passage:
        """Passage times in the long run: see Passage."""
        return Passage(self.chain, self, **how)
