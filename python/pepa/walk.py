"""One state at a time: what is enabled in it, and where each activity leads.  No chain is derived."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Union

from ._call import Call, integer, string_of, taken_text
from ._memory import Native
from ._native import ffi, lib
from ._numpy import np
from .chain import Position
from .errors import ArgumentError, text_of
from .measures import Predicate

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Run", "Step", "Walk"]

_ENDS = {lib.PEPA_RUN_FOUND: "found", lib.PEPA_RUN_DEADLOCK: "deadlock", lib.PEPA_RUN_MOST: "most"}


class Step(NamedTuple):
    """A step that is enabled.  ``rate`` is 0 of an immediate one; ``probability``: that it is next."""

    action: str
    rate: float
    probability: float
    immediate: bool
    to: str  # the state that it leads to


class Run(NamedTuple):
    """Random steps: how many, and why they ended: "found", "deadlock", or "most" were taken."""

    steps: int
    end: str


class Walk(Native):
    """A walk through the states of a model, from the initial one; models may have any number.

    >>> import pepa
    >>> walk = pepa.Model("P = (a, 2).Q + (b, 1).P; Q = (c, 3).P; P").walk()
    >>> [(step.action, step.to) for step in walk.steps]
    [('a', '(Q)'), ('b', '(P)')]
    >>> walk.take("a").state
    '(Q)'

    What fails leaves the walk where it is.  A walk belongs to one thread at a time.
    """

    __slots__ = ("model", "positions", "_p", "_call", "_settings")

    model: "Model"
    positions: List[Position]
    _p: Any

    def __init__(self, model: "Model", **options) -> None:
        self.model = model
        self._call = Call()  # callbacks of later functions go to it, too
        self._settings = self._call.settings(options)
        out = ffi.new("PepaWalk **")
        self._call.check(lib.pepa_walk_new(out, model._p, self._settings, self._call.err))
        self._p = ffi.gc(out[0], lib.pepa_walk_free)
        self.positions = [self._position(i) for i in range(self._info.positions)]

    def _position(self, i: int) -> Position:
        p = lib.pepa_walk_position(self._p, i)
        return Position(text_of(p.component), p.copies,
                        tuple(text_of(lib.pepa_walk_local_name(self._p, p.local[k]))
                              for k in range(p.local_count)))

    @property
    def _info(self):
        return lib.pepa_walk_info(self._p)

    def __len__(self) -> int:
        """Steps until now, jumps included, less those taken back."""
        return self._info.length

    @property
    def exit_rate(self) -> float:
        """The sum of the rates of the steps (of immediate ones: of their weights); 0: a deadlock."""
        return self._info.exit

    @property
    def steps(self) -> List[Step]:
        """The steps that are enabled, in the order of actions in the text."""
        found = []
        for i in range(self._info.enabled):
            step = lib.pepa_walk_step(self._p, i)
            found.append(Step(text_of(step.action), step.rate, step.probability,
                              bool(step.immediate), self._text(i)))
        return found

    def _text(self, step: int) -> str:
        return taken_text(self._call, lambda out, err: lib.pepa_walk_text(self._p, step, out, err))

    @property
    def state(self) -> str:
        """The present state in words, as ``go`` reads it."""
        return self._text(-1)

    @property
    def counts(self) -> np.ndarray:
        """Copies in each local state of each position, as in ``Chain.counts``."""
        row = np.empty(self._info.counts, np.int32)
        self._call.check(lib.pepa_walk_counts(self._p, -1, ffi.from_buffer("int32_t[]", row),
                                              self._call.err))
        return row

    def holds(self, predicate: Union[Predicate, str]) -> bool:
        """Whether a predicate is true in the present state."""
        what = Predicate.of(self.model, predicate)
        out = ffi.new("int *")
        self._call.check(lib.pepa_walk_holds(self._p, what._p, out, self._call.err))
        return bool(out[0])

    def take(self, step: Union[int, str]) -> "Walk":
        """Take an enabled step: its number in ``steps``, or its action where only one has that."""
        if isinstance(step, str):
            numbers = [i for i, each in enumerate(self.steps) if each.action == step]
            if len(numbers) != 1:
                raise ArgumentError(f"{len(numbers) or 'no'} steps with the action {step!r}"
                                 " are enabled; give a number of `steps`")
            step = numbers[0]
        self._call.check(lib.pepa_walk_take(self._p, integer("int32_t", step, "step"), self._call.err))
        return self

    def back(self, steps: int = 1) -> "Walk":
        """To where the walk was so many steps ago."""
        self._call.check(lib.pepa_walk_back(self._p, integer("size_t", steps, "steps"), self._call.err))
        return self

    def go(self, state: str) -> "Walk":
        """To the state that a text describes, reachable or not."""
        self._call.check(lib.pepa_walk_go(self._p, string_of(state, "state"), self._call.err))
        return self

    def jump(self, number: int) -> "Walk":
        """To the state with a number that a chain has where states are found one by one."""
        self._call.check(lib.pepa_walk_jump(self._p, integer("int32_t", number, "number"), self._call.err))
        return self

    def run(self, until: Union[Predicate, str, None] = None, *, most: int = 1000000,
            seed: int = 1) -> Run:
        """Take steps at random until a predicate is true after one, or ``most`` are taken."""
        what = None if until is None else Predicate.of(self.model, until)
        random = ffi.new("uint64_t *", integer("uint64_t", seed, "seed"))
        taken, most = ffi.new("int64_t *"), integer("int64_t", most, "most")
        end = ffi.new("PepaRunEnd *")
        self._call.check(lib.pepa_walk_run(self._p, what._p if what else ffi.NULL, most, random,
                                           taken, end, self._call.err))
        return Run(taken[0], _ENDS[end[0]])

    def __repr__(self) -> str:
        return f"<Walk in {self.model.name}: {self.state}, {len(self)} steps from the start>"
