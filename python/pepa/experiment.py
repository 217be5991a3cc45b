"""Measures while rates vary: parameter sweeps, by a chain or by simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Sequence

from ._call import Call, mapping, string_of
from ._memory import doubles, pointer_to
from ._native import ffi, lib
from ._numpy import np
from .errors import ArgumentError, PepaError
from .measures import measures_of
from .results import (Curves, EstimateCurves, axes_or_new, estimate_columns, frames, html_picture,
                      info_of)

if TYPE_CHECKING:
    from .chain import Chain

__all__ = ["Experiment", "ExperimentInfo"]


class ExperimentInfo(NamedTuple):
    """How points were solved: PepaExperimentInfo of pepa_experiment.h."""

    points: int
    derived: int
    iterations: int
    residual: float
    seconds: float
    derive_seconds: float
    runs: int
    events: int
    width: float
    length: float


class Experiment:
    """Measures at all combinations of the values of rates.

    ``axes`` has the values of each rate; ``values`` has an axis for each of them, in the same
    order, and one more for the measures.  experiment["name"] are the values of one measure.  Of a
    simulation ``low`` and ``high`` are the ends of the intervals; else they are None.
    ``failed`` says of each point whether it could not be solved, with ``failures="nan"``.
    """

    __slots__ = ("axes", "names", "values", "failed", "low", "high", "info")

    def __init__(self, axes: Mapping[str, np.ndarray], names: Sequence[str], values: np.ndarray,
                 failed: np.ndarray, info: Any, low=None, high=None) -> None:
        self.axes = dict(axes)
        self.names = list(names)
        self.values = values
        self.failed = failed
        self.low = low
        self.high = high
        self.info = info

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.values[..., self.names.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def __repr__(self) -> str:
        axes = " x ".join(f"{len(values)} {name}" for name, values in self.axes.items())
        return f"<Experiment: {', '.join(self.names)} at {axes}>"

    def to_frame(self):
        """A pandas.DataFrame with a row for each point and a column for each measure; of a simulation
        the columns are (measure, "value"), (measure, "low"), ..."""
        pandas = frames()
        index = pandas.MultiIndex.from_product(self.axes.values(), names=self.axes.keys())
        if len(self.axes) == 1:
            index = index.get_level_values(0)
        flat = [None if part is None else part.reshape(-1, len(self.names))
                for part in (self.values, self.low, self.high)]
        if self.low is not None:
            return pandas.DataFrame(estimate_columns(self.names, *flat), index=index)
        return pandas.DataFrame(flat[0], columns=self.names, index=index)

    def plot(self, ax=None, **style):
        """Curves along the first rate, one for each measure and combination of the other rates."""
        ax = axes_or_new(ax)
        first, *others = self.axes
        flat = self.values.reshape(len(self.axes[first]), -1, len(self.names))
        grid = np.stack(np.meshgrid(*(self.axes[o] for o in others), indexing="ij"), -1) \
            if others else np.empty((1, 0))
        for combination, where in enumerate(grid.reshape(flat.shape[1], -1)):
            at = ", ".join(f"{o} = {v:g}" for o, v in zip(others, where))
            for j, name in enumerate(self.names):
                ax.plot(self.axes[first], flat[:, combination, j],
                        label=f"{name}, {at}" if at else name, **style)
        ax.set_xlabel(first)
        ax.legend()
        return ax

    def _repr_html_(self) -> str:
        return html_picture(self.plot)

    def curves(self) -> Curves:
        """Of one rate that varies: the same as Curves; of a simulation, as EstimateCurves."""
        if len(self.axes) != 1:
            raise ArgumentError(f"curves() has one axis, not {len(self.axes)}: {', '.join(self.axes)}")
        (name, axis), = self.axes.items()
        if self.low is not None:
            return EstimateCurves(name, axis, self.names, self.values, self.low, self.high, self.info)
        return Curves(name, axis, self.names, self.values, self.info)


_OF_A_POINT = (lib.PEPA_EMODEL, lib.PEPA_ELIMIT, lib.PEPA_ENOCONV)


class Axes:
    """A PepaExperiment with all that it points to."""

    __slots__ = ("struct", "values", "_status", "_keep")

    def __init__(self, vary: Mapping[str, Any], failures: str) -> None:
        if failures not in ("raise", "nan"):
            raise ArgumentError(f'failures is "raise" or "nan", not {failures!r}')
        self.values = {rate: doubles(values, rate) for rate, values in mapping(vary, "vary").items()}
        names = [ffi.new("char[]", string_of(rate, "vary")) for rate in self.values]
        memory = [pointer_to(values) for values in self.values.values()]
        array = ffi.new("PepaVary[]", len(names))
        for each, name, values in zip(array, names, memory):
            each.rate = name
            each.value = values
            each.count = len(values)
        self.struct = ffi.new("PepaExperiment *")
        self.struct.vary = array
        self.struct.count = len(names)
        self._status = None
        if failures == "nan":
            self._status = ffi.new("PepaStatus[]", max(1, int(np.prod(self.shape))))
            self.struct.status = self._status
        self._keep = (names, memory, array)

    def check(self, call: Call, status: int, info) -> None:
        """Raise what the call has ended with, at which point; not a point's failure, if the others are
        solved all the same."""
        if self._status is not None and status in _OF_A_POINT:
            status = lib.PEPA_OK
        try:
            call.check(status)
        except PepaError as error:
            if info.failed >= 0:
                at = np.unravel_index(info.failed, self.shape)
                point = ", ".join(f"{rate} = {values[i]:g}"
                                  for i, (rate, values) in zip(at, self.values.items()))
                error.message = f"at {point}: {error.message}"
            raise

    @property
    def failed(self) -> np.ndarray:
        """Whether each point has failed."""
        if self._status is None:
            return np.zeros(self.shape, bool)
        return np.array([status != lib.PEPA_OK for status in self._status]).reshape(self.shape)

    @property
    def shape(self) -> tuple:
        return tuple(len(values) for values in self.values.values())


def experiment_of(chain: "Chain", what, vary, failures, options) -> Experiment:
    """See Chain.experiment."""
    measures = measures_of(chain.model, what)
    axes = Axes(vary, failures)
    values = np.empty((*axes.shape, len(measures)))
    info = ffi.new("PepaExperimentInfo *", {"failed": -1})
    call = Call()
    settings = call.settings(options)
    with chain._in_use():
        status = lib.pepa_experiment_measures(chain._p, measures._p, axes.struct, settings,
                                              ffi.from_buffer("double[]", values), info, call.err)
    axes.check(call, status, info)
    return Experiment(axes.values, measures.names, values, axes.failed, info_of(ExperimentInfo, info))
