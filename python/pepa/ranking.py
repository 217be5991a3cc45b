"""Rankings of mappings, and explanations of one."""

from __future__ import annotations

from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ._memory import Native, view
from ._native import ffi, lib
from ._numpy import np
from .errors import text_of
from .results import SolveInfo, Values, axes_or_new, frames, html_table, info_of

__all__ = ["Activity", "Entry", "Explanation", "Ranking", "Resource"]

_KIND = {lib.AMOGET_PROCESSOR: "processor", lib.AMOGET_LINK: "link", lib.AMOGET_WITHIN: "within"}


class Entry(NamedTuple):
    """A mapping in a ranking: AmogetEntry of amoget.h."""

    mapping: Tuple[str, ...]
    throughput: float
    rank: int
    tied: bool
    processors: int
    states: int
    transitions: int
    stands_for: float


class Ranking(Native, Sequence):
    """Mappings, best first.

    ``search`` is how it was done, ``optimal`` whether the first is proved to be the best of all
    ``candidates``, and ``bound`` what no candidate exceeds.  ``throughputs`` is an array.
    """

    __slots__ = ("search", "optimal", "candidates", "solved", "pruned", "chains", "bound",
                 "seconds", "throughputs", "_p", "_names")

    def __init__(self, pointer, names: List[str]) -> None:
        self._p = ffi.gc(pointer, lib.amoget_ranking_free)
        self._names = names
        self.search = text_of(lib.amoget_search_name(pointer.search))
        self.optimal = bool(pointer.optimal)
        self.candidates = pointer.candidates
        self.solved = pointer.solved
        self.pruned = pointer.pruned
        self.chains = pointer.chains
        self.bound = pointer.bound
        self.seconds = pointer.seconds
        self.throughputs = np.empty(0)
        if pointer.count:
            self.throughputs = view(ffi.addressof(pointer.entries[0], "throughput"), pointer.count,
                                    np.float64, self._p, ffi.sizeof("AmogetEntry"))

    def __len__(self) -> int:
        return len(self.throughputs)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        if not -len(self) <= i < len(self):
            raise IndexError(f"there are {len(self)} entries")
        e = self._p.entries[i % len(self)]
        mapping = tuple(self._names[e.mapping[k]] for k in range(self._p.stages))
        return Entry(mapping, e.throughput, e.rank, bool(e.tied), e.processors, e.states,
                     e.transitions, e.stands_for)

    def __repr__(self) -> str:
        best = f", best {'(%s)' % ','.join(self[0].mapping)}" if len(self) else ""
        return f"<Ranking of {self.candidates:.0f} mappings{best}>"

    def to_frame(self):
        """A pandas.DataFrame with a row for each entry."""
        pandas = frames()
        return pandas.DataFrame(list(self), columns=list(Entry._fields))

    def plot(self, ax=None, **style):
        """Throughputs as bars on matplotlib axes, which are returned."""
        ax = axes_or_new(ax)
        ax.barh([",".join(e.mapping) for e in self], self.throughputs, **style)
        ax.invert_yaxis()
        ax.set_xlabel("items per second")
        return ax

    def _repr_html_(self) -> str:
        best = self.throughputs[0] if len(self) else 1.0
        rows = [[f"{e.rank}{'=' if e.tied else ''}", ",".join(e.mapping), e.throughput,
                 f"{e.throughput / best:.2%}"] for e in self[:50]]
        return html_table(["rank", "mapping", "items per second", "of the best"], rows,
                          repr(self).strip("<>"))


class Resource(NamedTuple):
    """A "processor", a "link" of two, or moves "within" one.

    1% faster gives ``share`` % more throughput; twice as fast, it gives ``doubled``; None: that was
    not computed.
    """

    kind: str
    names: Tuple[str, ...]
    share: float
    doubled: Optional[float]

    def __str__(self) -> str:
        return f"{self.kind} {'-'.join(self.names)}"


class Activity(NamedTuple):
    """What happens to an item: mean seconds, its share in the time per item, and where."""

    name: str
    seconds: float
    share: float
    resource: Resource


def activity_names(stages: int, count: int) -> Iterator[str]:
    """move 1, process 1, move 2, ..., and take 2, ..., with places on links."""
    for stage in range(1, stages + 1):
        yield f"move {stage}"
        yield f"process {stage}"
    yield f"move {stages + 1}"
    for stage in range(2, count - 2 * stages + 1):
        yield f"take {stage}"


class Explanation:
    """What the throughput of a mapping depends on.

    ``resources`` has the bottleneck first; ``activities`` are in the order in which an item meets
    them, those that take it from a link last.
    """

    __slots__ = ("mapping", "throughput", "activities", "resources", "solution")

    def __init__(self, pointer, mapping: Tuple[str, ...], names: List[str]) -> None:
        e = ffi.gc(pointer, lib.amoget_explanation_free)
        self.mapping = mapping
        self.throughput = e.throughput
        self.solution = info_of(SolveInfo, e.solution)
        self.resources = []
        for k in range(e.resource_count):
            r = e.resources[k]
            kind = _KIND[r.kind]
            ends = (names[r.a], names[r.b]) if kind == "link" else (names[r.a],)
            self.resources.append(Resource(kind, ends, r.share, r.doubled or None))
        self.activities = [
            Activity(name, e.seconds[k], e.share[k], self.resources[e.resource[k]])
            for k, name in zip(range(e.parts), activity_names(len(mapping), e.parts))]

    @property
    def bottleneck(self) -> Resource:
        return self.resources[0]

    def __repr__(self) -> str:
        return (f"<Explanation of ({','.join(self.mapping)}): {self.throughput:.10g} items per "
                f"second, {self.bottleneck} has {self.bottleneck.share:.1%}>")

    def to_frame(self):
        """A pandas.DataFrame with a row for each activity."""
        pandas = frames()
        rows = [(a.name, a.seconds, a.share, str(a.resource)) for a in self.activities]
        return pandas.DataFrame(rows, columns=["activity", "seconds", "share", "resource"])

    def plot(self, ax=None, **style):
        """Shares of the resources as bars on matplotlib axes, which are returned."""
        shares = np.array([r.share for r in self.resources])
        return Values([str(r) for r in self.resources], shares, "share").plot(ax, **style)

    def _repr_html_(self) -> str:
        rows = [[str(r), r.share, "" if r.doubled is None else r.doubled] for r in self.resources]
        return html_table(["resource", "share", "twice as fast"], rows, repr(self).strip("<>"))
