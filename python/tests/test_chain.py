"""Chains: states, transitions, generator, rates."""

import threading

import numpy as np
import pytest
import scipy.sparse
from conftest import MODELS

import pepa


@pytest.fixture
def shop():
    return pepa.Model.load(MODELS / "web_server.pepa").derive()


def test_states_of_a_queue(queue):
    chain = queue.derive()
    assert (len(chain), chain.transition_count) == (3, 4)
    assert chain.actions == ["arrive", "serve"]
    assert chain.positions == [pepa.Position("Empty", 1, ("Empty", "One", "Two"))]
    assert chain.count_names == [(0, "Empty"), (0, "One"), (0, "Two")]
    assert [chain.state_text(s) for s in range(3)] == ["(Empty)", "(One)", "(Two)"]
    assert np.array_equal(chain.counts(), np.eye(3, dtype=np.int32))
    assert np.array_equal(chain.counts(2), [0, 0, 1])
    assert chain.bottom(0) == 0
    assert (chain.deadlocks, chain.bottom_components, chain.symbolic) == (0, 1, False)


def test_generator_of_a_queue(queue):
    q = queue.derive().generator()
    assert scipy.sparse.isspmatrix_csr(q)
    assert np.array_equal(q.toarray(), [[-1, 1, 0], [2, -3, 1], [0, 2, -2]])


def test_counts_sum_to_copies(shop):
    counts = shop.counts()
    start = 0
    for position in shop.positions:
        width = len(position.local_states)
        assert np.all(counts[:, start:start + width].sum(axis=1) == position.copies)
        start += width
    assert start == counts.shape[1]


def test_transitions_make_the_generator(shop):
    t = shop.transitions()
    assert len(t.rate) == shop.transition_count
    moves = scipy.sparse.coo_matrix((t.rate, (t.source, t.target)), shape=(len(shop),) * 2).tocsr()
    q = moves - scipy.sparse.diags(np.asarray(moves.sum(axis=1)).ravel())
    assert abs(q - shop.generator()).max() < 1e-12
    assert [shop.actions[a] for a in sorted(set(t.action))] == shop.actions


def test_arrays_of_the_library_are_no_copies(shop):
    t = shop.transitions()
    assert not t.target.flags.owndata and not t.target.flags.writeable
    q = shop.generator()
    assert not q.data.flags.owndata and not q.indices.flags.owndata


def test_where(shop):
    down = shop.count_names.index((2, "ServerDown"))
    assert np.array_equal(shop.where("ServerDown >= 2"), shop.counts()[:, down] >= 2)
    predicate = pepa.Predicate(shop.model, "ServerDown >= 2")
    assert np.array_equal(shop.where(predicate), shop.where("ServerDown >= 2"))


@pytest.mark.parametrize("state", [-1, 300, 10**9])
def test_states_that_do_not_exist(shop, state):
    for ask in (shop.counts, shop.state_text, shop.bottom):
        with pytest.raises(IndexError):
            ask(state)


def test_set_rates(queue):
    chain = queue.derive()
    chain.set_rates(serve=4)
    chain.set_rates({"arrive": 3})
    assert chain.rates == {"serve": 4.0, "arrive": 3.0}
    assert np.array_equal(chain.generator().toarray(), [[-3, 3, 0], [4, -7, 3], [0, 4, -4]])


def test_rates_that_are_computed_follow():
    model = pepa.Model("r = 1; s = 2 * r; n = 3; P = (a, r).Q; Q = (b, s).P; P[n]")
    chain = model.derive()
    chain.set_rates(r=3)
    assert chain.rates == {"r": 3.0, "s": 6.0, "n": 3.0}
    chain.set_rates(s=5)
    assert chain.rates["s"] == 5 and model.rates["s"] == 2


def test_wrong_rates_leave_the_chain_as_it_was(queue):
    chain = queue.derive()
    before = chain.generator().toarray()
    with pytest.raises(pepa.ArgumentError, match="no rate"):
        chain.set_rates(nothing=1)
    with pytest.raises(pepa.ModelError):
        chain.set_rates(serve=-1)
    assert np.array_equal(chain.generator().toarray(), before)
    assert chain.rates == queue.rates


def test_separate_copies_are_more_states():
    text = "r = 1; s = 2; P = (a, r).Q; Q = (b, s).P; P[5]"
    model = pepa.Model(text)
    assert len(model.derive()) == 6
    assert len(model.derive(separate_copies=True)) == 32


def test_symbolic_chains_have_the_same_distribution():
    model = pepa.Model.load(MODELS / "kanban1.pepa")
    one, sets = model.derive(explore="explicit"), model.derive(explore="symbolic")
    assert sets.symbolic and not one.symbolic and len(one) == len(sets)
    a, b = one.solve(tolerance=1e-12), sets.solve(tolerance=1e-12)
    for name, value in a.throughputs.items():
        assert b.throughputs[name] == pytest.approx(value, rel=1e-9)
    with pytest.raises(pepa.UnsupportedError):
        sets.transitions()
    assert abs(sets.generator().T @ b.pi).max() < 1e-9


def test_rates_stay_while_another_thread_solves():
    """A thread that is in the progress callback of a solution has the chain in use."""
    model = pepa.Model.load(MODELS / "web_server.pepa")
    chain = model.derive()
    refused = []

    def change():
        try:
            chain.set_rates(fail=1)
        except pepa.ArgumentError as error:
            refused.append(str(error))

    with chain._in_use():
        thread = threading.Thread(target=change)
        thread.start()
        thread.join()
    assert refused == ["the chain is in use by another call"]
    change()
    assert len(refused) == 1 and chain.rates["fail"] == 1
