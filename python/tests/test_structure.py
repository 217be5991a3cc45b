"""Structures against chains: the same components and the same activities."""

import math

import pytest

import pepa
from conftest import MODELS


def test_tree():
    structure = pepa.Model("""
        r = 2;
        P = (a, r / 4).(b, T).P;  Q = (b, 3).Q + (c[2], 1).Q;  R = (c, 2 * T).R;
        ((P <b> Q[3]{c}) / {a}) <c> R""").structure()
    root = structure.root
    assert (root.kind, root.actions, root.right.local) == ("cooperation", ("c",), "R")
    hidden = root.left
    assert (hidden.kind, hidden.actions, hidden.right) == ("hiding", ("a",), None)
    both = hidden.left
    assert (both.left.local, both.right.kind, both.right.copies, both.right.actions) == (
        "P", "copies", 3, ("c",))
    assert structure.components() == ["P", "Q", "R"]
    first, second = structure.component("P")
    assert first.activities == (pepa.Activity("a", second.name, "r / 4", 0.5, False, False, None),)
    assert second.activities[0].passive and second.activities[0].target == "P"
    assert structure.component("Q")[0].activities[1].priority == 2
    assert structure.component("R")[0].activities[0].value == 2


def test_functional():
    structure = pepa.Model("P = (a, 2 * Q).Q; Q = (b, immediate).P; P").structure()
    assert math.isnan(structure.component("P")[0].activities[0].value)
    assert structure.component("P")[1].activities[0].immediate


@pytest.mark.parametrize("name", ["client_server", "pclan4", "kanban1", "alternating_bit", "cluster2"])
def test_positions_are_those_of_the_chain(name):
    model = pepa.Model.load(MODELS / f"{name}.pepa")
    structure, chain = model.structure(), model.derive()
    found = []

    def visit(node, copies):
        if node.kind == "component":
            found.append((tuple(sorted(each.name for each in structure.component(node.local))), copies))
        for each in (node.left, node.right):
            if each is not None:
                visit(each, copies * node.copies)

    visit(structure.root, 1)
    if chain.aggregated:
        assert sum(copies for _, copies in found) == sum(p.copies for p in chain.positions)
    assert {names for names, _ in found} == {tuple(sorted(p.local_states)) for p in chain.positions}


def test_deep():
    """As deep as the parser reads: no recursion here."""
    text = "P = (a, 1).P; " + " || ".join(["P"] * 3000)
    structure = pepa.Model(text).structure()
    assert len(structure.components()) == 3000


def test_unknown(queue):
    with pytest.raises(KeyError):
        queue.structure().component("Nobody")
