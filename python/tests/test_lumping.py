"""A lumped chain has the measures of the whole one."""

import numpy as np
import pytest

import pepa

COPIES = "r = 1; s = 2; P = (a, r).Q; Q = (b, s).P; P[6]"


def test_copies_are_put_together():
    chain = pepa.Model(COPIES).derive(separate_copies=True)
    lumping = chain.lump(["population:P", "throughput:b"])
    assert (lumping.states, lumping.blocks) == (64, 7) and lumping.spread < 1e-13
    values = lumping.solve()
    assert values["population:P"] == pytest.approx(4) and values["throughput:b"] == pytest.approx(4)
    assert lumping.info.residual <= lumping.info.tolerance
    inside = chain.counts()[:, 0::2].sum(axis=1)
    blocks = np.array([lumping.block(s) for s in range(64)])
    for block in range(7):
        assert len(set(inside[blocks == block])) == 1
    with pytest.raises(IndexError):
        lumping.block(64)


def test_after_a_change_of_rates_it_is_refused():
    chain = pepa.Model(COPIES).derive()
    lumping = chain.lump("population:P")
    chain.set_rates(r=2)
    with pytest.raises(pepa.ArgumentError, match="rates have changed"):
        lumping.solve()


def test_measures_outlive_their_name():
    lumping = pepa.Model(COPIES).derive(separate_copies=True).lump(["population:P"])
    assert lumping.solve().array == pytest.approx([4])
