"""The structure of a model before any state is explored: system equation, components, activities."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, NamedTuple, Optional, Tuple

from ._call import Call
from ._native import ffi, lib
from .errors import text_of

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Activity", "LocalState", "Node", "Structure"]

_KINDS = {lib.PEPA_NODE_COMPONENT: "component", lib.PEPA_NODE_COOPERATION: "cooperation",
          lib.PEPA_NODE_HIDING: "hiding", lib.PEPA_NODE_COPIES: "copies"}


class Activity(NamedTuple):
    """``(action, rate).target``; ``value`` is NaN where the rate depends on the state."""

    action: str
    target: str
    rate: str  # as in the text, laid out afresh
    value: float  # of the rate; of a passive or immediate one, of its weight
    passive: bool
    immediate: bool
    priority: Optional[int]


class LocalState(NamedTuple):
    """A local state of a component; one without a name has a made-up one."""

    name: str
    activities: Tuple[Activity, ...]


class Node(NamedTuple):
    """A node of the system equation: "component" (from ``local`` on), "cooperation" of ``left`` and
    ``right``, "hiding" in ``left``, "copies" of ``left``; ``actions`` is the set of the last three."""

    kind: str
    left: Optional["Node"]
    right: Optional["Node"]
    local: Optional[str]
    copies: int
    actions: Tuple[str, ...]


class Structure:
    """The system equation as a tree, ``root``, and the ``local_states`` with their activities.

    >>> import pepa
    >>> structure = pepa.Model("P = (a, 2).Q; Q = (b, T).P; R = (b, 1).R; P <b> R[2]").structure()
    >>> structure.root.kind, structure.root.actions, structure.root.right.copies
    ('cooperation', ('b',), 2)
    >>> [local.name for local in structure.component("P")]
    ['P', 'Q']
    """

    __slots__ = ("model", "root", "local_states", "_number")

    model: "Model"
    root: Node
    local_states: List[LocalState]

    def __init__(self, model: "Model") -> None:
        call = Call()
        out = ffi.new("PepaStructure **")
        call.check(lib.pepa_structure_new(out, model._p, call.err))
        pointer = ffi.gc(out[0], lib.pepa_structure_free)
        info = lib.pepa_structure_info(pointer)
        names = [text_of(lib.pepa_structure_action_name(pointer, a)) for a in range(info.actions)]
        locals_ = [lib.pepa_structure_local(pointer, i) for i in range(info.local_states)]
        called = [text_of(local.name) for local in locals_]

        def activity(number: int) -> Activity:
            a = lib.pepa_structure_activity(pointer, number)
            return Activity(names[a.action], called[a.target], text_of(a.rate), a.value,
                            bool(a.passive), bool(a.immediate), a.priority if a.priority >= 0 else None)

        self.model = model
        self.local_states = [
            LocalState(name, tuple(activity(k) for k in range(local.first, local.first + local.count)))
            for name, local in zip(called, locals_)]
        self._number = {name: number for number, name in enumerate(called)}
        nodes: List[Node] = []  # operands come before what uses them
        for i in range(info.nodes):
            n = lib.pepa_structure_node(pointer, i)
            nodes.append(Node(_KINDS[n.kind], nodes[n.left] if n.left >= 0 else None,
                              nodes[n.right] if n.right >= 0 else None,
                              called[n.local] if n.local >= 0 else None, n.copies,
                              tuple(names[n.action[k]] for k in range(n.action_count))))
        self.root = nodes[-1]

    def component(self, local: str) -> List[LocalState]:
        """The local states that a component can reach from one of them, breadth first."""
        found, seen = [self.local_states[self._number[local]]], {local}
        for each in found:
            for activity in each.activities:
                if activity.target not in seen:
                    seen.add(activity.target)
                    found.append(self.local_states[self._number[activity.target]])
        return found

    def components(self) -> List[str]:
        """The local states with which the components of the system equation begin, from the left."""
        found, stack = [], [self.root]
        while stack:
            node = stack.pop()
            if node.local is not None:
                found.append(node.local)
            stack.extend(each for each in (node.right, node.left) if each is not None)
        return found

    def __repr__(self) -> str:
        return (f"<Structure of {self.model.name}: {len(self.components())} components, "
                f"{len(self.local_states)} local states>")
