"""What the tests share: the repository's models, and oracles that know nothing of the library."""

import pathlib

import numpy as np
import pytest
import scipy.linalg
from scipy.sparse.csgraph import connected_components

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"

QUEUE = """
arrive = 1.0; serve = 2.0;
Empty = (arrive, arrive).One;
One   = (arrive, arrive).Two + (serve, serve).Empty;
Two   = (serve, serve).One;
Empty
"""


def long_run(generator):
    """The long-run distribution from state 0 by dense linear algebra: of each closed class the
    null vector, weighted by the probability of ending there."""
    q = generator.toarray()
    count, label = connected_components(generator - np.diag(q.diagonal()), directed=True,
                                        connection="strong")
    closed = [k for k in range(count)
              if not np.any(q[np.ix_(label == k, label != k)] > 0)]
    moving = ~np.isin(label, closed)
    pi = np.zeros(len(q))
    for k in closed:
        inside = label == k
        null = scipy.linalg.null_space(q[np.ix_(inside, inside)].T)
        assert null.shape[1] == 1
        weight = float(inside[0])
        if moving[0]:
            ends = np.linalg.solve(-q[np.ix_(moving, moving)],
                                   q[np.ix_(moving, inside)].sum(axis=1))
            weight = ends[np.flatnonzero(moving) == 0][0]
        pi[inside] = weight * null[:, 0] / null.sum()
    return pi


@pytest.fixture
def queue():
    import pepa

    return pepa.Model(QUEUE, name="queue")
