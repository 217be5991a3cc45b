"""Passage times: how long it takes from one event to another."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple, Optional, Sequence, Union

from ._call import Call, string_of
from ._memory import Handle, Native, doubles
from ._native import ffi, lib
from ._numpy import np
from .errors import ArgumentError
from .measures import Predicate
from .results import Curves

if TYPE_CHECKING:
    from .chain import Chain
    from .model import Model

__all__ = ["Moments", "Passage"]

Names = Union[str, Sequence[str]]


class Moments(NamedTuple):
    """The probability that a passage ends; mean and variance, infinite unless that is 1."""

    ends: float
    mean: float
    variance: float


class Ends:
    """A PepaPassageEnds with all that it points to."""

    __slots__ = ("struct", "_keep")

    def __init__(self, model: "Model", from_action=None, from_states=None, from_start=False,
                 to_action=None, to_states=None) -> None:
        self.struct = ends = ffi.new("PepaPassageEnds *")
        self._keep: list = []
        ends.from_action, ends.from_actions = self._names(from_action, "from_action")
        ends.to_action, ends.to_actions = self._names(to_action, "to_action")
        ends.from_start = bool(from_start)
        for member, predicate in (("from", from_states), ("to", to_states)):
            if predicate is not None:
                predicate = Predicate.of(model, predicate)
                self._keep.append(predicate)
                setattr(ends, member, predicate._p)

    def _names(self, names, what: str):
        if names is None:
            return ffi.NULL, 0
        names = [names] if isinstance(names, str) else list(names)
        texts = [ffi.new("char[]", string_of(name, what)) for name in names]
        array = ffi.new("char *[]", texts)
        self._keep += [texts, array]
        return array, len(names)


class Passage(Native):
    """How long passages take.

    A passage starts in the state after a completion of ``from_action`` (a name or several), in
    states that satisfy ``from_states`` when these are entered, or, with ``from_start``, in the
    initial state; it ends with ``to_action``, or in a state that satisfies ``to_states``.

    It holds while the chain's rates stay as they are; after ``set_rates`` its methods raise
    ArgumentError.  Threads take turns.
    """

    __slots__ = ("chain", "_handle", "_call", "_version", "_lock", "_busy",
                 "_moments")

    def __init__(self, chain: "Chain", steady, *, from_action=None, from_states=None,
                 from_start: bool = False, to_action=None, to_states=None, **options) -> None:
        ends = Ends(chain.model, from_action, from_states, from_start, to_action, to_states)
        self.chain = chain
        self._call = call = Call()
        self._lock = threading.RLock()
        self._busy = False
        self._moments: Optional[Moments] = None
        out = ffi.new("PepaPassage **")
        settings = call.settings(options)
        with chain._in_use():
            self._version = chain._version
            pi = steady._pi() if steady else ffi.NULL
            status = lib.pepa_passage_new(out, chain._p, pi, ends.struct, settings, call.err)
        call.check(status)
        self._handle = Handle(out[0], lib.pepa_passage_free, chain._p, call, ends)

    def _ask(self, function, *arguments) -> None:
        with self._lock, self.chain._in_use():
            if self._busy:  # only a callback of this thread gets here
                raise ArgumentError("the passage is in use by the call that reports progress")
            if self._version != self.chain._version:
                raise ArgumentError("the chain's rates have changed since this passage was made")
            self._busy = True
            try:
                status = function(self._handle.pointer, *arguments, self._call.err)
            finally:
                self._busy = False
            self._call.check(status)

    def at(self, times) -> Curves:
        """Distribution function, density, and a proved bound of the former's error, at times."""
        times = doubles(times, "times")
        values = np.empty((len(times), 3))
        out = ffi.new("double[3]")
        for t, row in zip(times.tolist(), values):
            self._ask(lib.pepa_passage_at, t, out, out + 1, out + 2)
            row[:] = out[0], out[1], out[2]
        return Curves("time", times, ["cdf", "pdf", "error bound"], values, None)

    def cdf(self, time):
        """The probability that it takes at most so long; of an array of times, an array."""
        return self._column(time, 0)

    def pdf(self, time):
        """The density at a time, or at times."""
        return self._column(time, 1)

    def _column(self, time, column: int):
        array = np.asarray(time)
        values = self.at(array.reshape(-1)).values[:, column].reshape(array.shape)
        return float(values) if array.ndim == 0 else values

    @property
    def moments(self) -> Moments:
        """The probability that it ends, mean and variance, by linear equations."""
        if self._moments is None or self._version != self.chain._version:
            out = ffi.new("PepaPassageMoments *")
            self._ask(lib.pepa_passage_moments, out)
            self._moments = Moments(out.ends, out.mean, out.variance)
        return self._moments

    @property
    def mean(self) -> float:
        return self.moments.mean

    @property
    def variance(self) -> float:
        return self.moments.variance

    def quantile(self, share: float) -> float:
        """The time within which a share of the passages ends; infinite if fewer ever end."""
        out = ffi.new("double *")
        self._ask(lib.pepa_passage_quantile, share, out)
        return out[0]

    @property
    def steps(self) -> int:
        """Products of a vector with the uniformised chain until now."""
        return lib.pepa_passage_steps(self._handle.pointer)

    def plot(self, times=None, ax=None, **style):
        """Distribution function on matplotlib axes, which are returned; up to the 99% quantile."""
        if times is None:
            if not self.moments.ends > 0:
                raise ArgumentError("the passage never ends; give times to draw it")
            times = np.linspace(0, self.quantile(0.99 * self.moments.ends), 101)
        curves = self.at(times)
        return Curves("time", curves.axis, ["cdf"], curves.values[:, :1], None).plot(ax, **style)

    def __repr__(self) -> str:
        return f"<Passage of {self.chain.model.name}>"
