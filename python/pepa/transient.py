"""What a model does up to given times, from its initial state."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._call import Call
from ._memory import doubles, pointer_to
from ._native import ffi, lib
from ._numpy import np
from .measures import measures_of
from .results import Curves, info_of
from .steady import Distribution

if TYPE_CHECKING:
    from .chain import Chain

__all__ = ["TransientInfo"]


class TransientInfo(NamedTuple):
    """How transient probabilities were computed: PepaTransientInfo of pepa_transient.h."""

    error_bound: float
    steps: int
    stationary: int
    rate: float
    seconds: float
    solves: int


def transient_of(chain: "Chain", times, what, accumulated: bool, options) -> Curves:
    """See Chain.transient."""
    measures = measures_of(chain.model, what)
    times = doubles(times, "times")
    values = np.empty((len(times), len(measures)))
    at = ffi.new("PepaTransient *")
    memory = pointer_to(times)
    at.time = memory
    at.count = len(times)
    at.accumulated = bool(accumulated)
    info = ffi.new("PepaTransientInfo *")
    call = Call()
    settings = call.settings(options)
    with chain._in_use():
        status = lib.pepa_transient_measures(chain._p, measures._p, at, settings,
                                             ffi.from_buffer("double[]", values), info, call.err)
    call.check(status)
    return Curves("time", times, measures.names, values, info_of(TransientInfo, info))


def distribution_of(chain: "Chain", time: float, options) -> Distribution:
    """See Chain.distribution."""
    p = np.empty(chain.states)
    info = ffi.new("PepaTransientInfo *")
    call = Call()
    settings = call.settings(options)
    with chain._in_use():
        version = chain._version
        status = lib.pepa_transient_distribution(chain._p, time, settings,
                                                 ffi.from_buffer("double[]", p), info, call.err)
    call.check(status)
    return Distribution(chain, p, info_of(TransientInfo, info), version)
