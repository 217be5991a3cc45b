"""What analyses answer: named numbers and tables of them, for pandas, notebooks and pictures."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any, Iterator, NamedTuple, Sequence

from ._numpy import np
from .errors import text_of

__all__ = ["Curves", "Estimate", "EstimateCurves", "Estimates", "SolveInfo", "Values"]


def frames():
    """pandas, or an ImportError that says what needs it."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_frame() needs pandas") from None
    return pandas


def axes_or_new(ax):
    """The axes to draw on: those given, or the only ones of a new figure."""
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("plot() needs matplotlib") from None
    return Figure(figsize=(6, 3.6), layout="constrained").subplots()


def html_table(header: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = "") -> str:
    """A table; texts are escaped, floats have ten digits."""
    def cell(value: Any) -> str:
        return html.escape(f"{value:.10g}" if isinstance(value, float) else str(value))

    lines = ["<table>"]
    if caption:
        lines.append(f"<caption>{html.escape(caption)}</caption>")
    lines.append("<tr>" + "".join(f"<th>{cell(h)}</th>" for h in header) + "</tr>")
    for row in rows:
        lines.append("<tr>" + "".join(f"<td>{cell(c)}</td>" for c in row) + "</tr>")
    return "\n".join(lines + ["</table>"])


def html_picture(draw) -> str:
    """What draw(ax) draws, as SVG in HTML; nothing without matplotlib."""
    try:
        ax = axes_or_new(None)
    except ImportError:
        return ""
    import io

    draw(ax)
    file = io.StringIO()
    ax.figure.savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    return text[text.index("<svg"):]


class Values(Mapping):
    """Numbers by name, in the library's order; ``array`` has them as NumPy array."""

    __slots__ = ("array", "what", "_index")

    def __init__(self, names: Sequence, array: np.ndarray, what: str) -> None:
        self._index = dict(zip(names, range(len(array))))
        self.array = array
        self.what = what

    @property
    def names(self) -> list:
        return list(self._index)

    def __getitem__(self, name) -> float:
        return float(self.array[self._index[name]])

    def __iter__(self) -> Iterator:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def __repr__(self) -> str:
        inner = ", ".join(f"{name!r}: {value:.10g}" for name, value in self.items())
        return f"<{self.what} {{{inner}}}>"

    def to_frame(self):
        """A pandas.DataFrame with a row for each name and one column."""
        pandas = frames()
        return pandas.DataFrame({self.what: self.array}, index=self.names)

    def plot(self, ax=None, **style):
        """Bars on matplotlib axes, which are returned."""
        ax = axes_or_new(ax)
        ax.barh([_label(name) for name in self.names], self.array, **style)
        ax.invert_yaxis()
        ax.set_xlabel(self.what)
        return ax

    def _repr_html_(self) -> str:
        return html_table(["", self.what], [[_label(n), v] for n, v in self.items()])


def _label(name) -> str:
    return name if isinstance(name, str) else " ".join(str(part) for part in name)


class Curves:
    """Measures along an axis: ``values[i, j]`` is measure j at ``axis[i]``; by name, one."""

    __slots__ = ("axis", "axis_name", "names", "values", "info")

    def __init__(self, axis_name: str, axis: np.ndarray, names: Sequence[str], values: np.ndarray,
                 info: Any) -> None:
        self.axis_name = axis_name
        self.axis = axis
        self.names = list(names)
        self.values = values
        self.info = info

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.values[:, self.names.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def __len__(self) -> int:
        return len(self.axis)

    def __repr__(self) -> str:
        return f"<{', '.join(self.names)} at {len(self.axis)} values of {self.axis_name}>"

    def to_frame(self):
        """A pandas.DataFrame: a row for each value of the axis, a column for each measure."""
        pandas = frames()
        return pandas.DataFrame(self.values, columns=self.names,
                                index=pandas.Index(self.axis, name=self.axis_name))

    def plot(self, ax=None, **style):
        """Curves on matplotlib axes, which are returned."""
        ax = axes_or_new(ax)
        for name in self.names:
            ax.plot(self.axis, self[name], label=name, **style)
        ax.set_xlabel(self.axis_name)
        ax.legend()
        return ax

    def _repr_html_(self) -> str:
        return html_picture(self.plot)


class Estimate(NamedTuple):
    """A value and an interval around it."""

    value: float
    low: float
    high: float


class Estimates(Mapping):
    """Values with intervals by name; ``value``, ``low`` and ``high`` are NumPy arrays."""

    __slots__ = ("names", "value", "low", "high", "info")

    def __init__(self, names: Sequence[str], value: np.ndarray, low: np.ndarray, high: np.ndarray,
                 info: Any) -> None:
        self.names = list(names)
        self.value = value
        self.low = low
        self.high = high
        self.info = info

    def __getitem__(self, name: str) -> Estimate:
        try:
            i = self.names.index(name)
        except ValueError:
            raise KeyError(name) from None
        return Estimate(float(self.value[i]), float(self.low[i]), float(self.high[i]))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        inner = ", ".join(f"{n!r}: {e.value:.10g} [{e.low:.10g}, {e.high:.10g}]"
                          for n, e in self.items())
        return f"<{{{inner}}}>"

    def to_frame(self):
        """A pandas.DataFrame with a row for each measure: value, low, high."""
        pandas = frames()
        return pandas.DataFrame({"value": self.value, "low": self.low, "high": self.high},
                                index=self.names)

    def plot(self, ax=None, **style):
        """Points with their intervals on matplotlib axes, which are returned."""
        ax = axes_or_new(ax)
        style.setdefault("fmt", "o")
        style.setdefault("capsize", 3)
        ax.errorbar(self.value, self.names,
                    xerr=np.abs([self.value - self.low, self.high - self.value]), **style)
        return ax

    def _repr_html_(self) -> str:
        return html_table(["", "value", "low", "high"], [[n, *e] for n, e in self.items()])


def estimate_columns(names: Sequence[str], value, low, high) -> dict:
    """Columns of a table by (measure, "value"), (measure, "low"), (measure, "high")."""
    parts = {"value": value, "low": low, "high": high}
    return {(name, part): array[:, j] for j, name in enumerate(names)
            for part, array in parts.items()}


class EstimateCurves(Curves):
    """Curves with intervals: ``low`` and ``high`` have the shape of ``values``."""

    __slots__ = ("low", "high")

    def __init__(self, axis_name: str, axis: np.ndarray, names: Sequence[str], value: np.ndarray,
                 low: np.ndarray, high: np.ndarray, info: Any) -> None:
        super().__init__(axis_name, axis, names, value, info)
        self.low = low
        self.high = high

    def to_frame(self):
        """As Curves.to_frame; the columns are (measure, "value"), (measure, "low"), ..."""
        pandas = frames()
        columns = estimate_columns(self.names, self.values, self.low, self.high)
        return pandas.DataFrame(columns, index=pandas.Index(self.axis, name=self.axis_name))

    def plot(self, ax=None, **style):
        """Curves with bands on matplotlib axes, which are returned."""
        ax = super().plot(ax, **style)
        for j, line in enumerate(ax.get_lines()[-len(self.names):]):
            ax.fill_between(self.axis, self.low[:, j], self.high[:, j], alpha=0.25,
                            color=line.get_color())
        return ax


def info_of(kind, struct):
    """A NamedTuple with the members of a structure of the library that have the same names."""
    values = []
    for name in kind._fields:
        value = getattr(struct, name)
        values.append(value if isinstance(value, (int, float)) else text_of(value))
    return kind._make(values)


class SolveInfo(NamedTuple):
    """How a linear system was solved: PepaInfo of pepa.h, which says what each member is."""

    iterations: int
    residual: float
    tolerance: float
    seconds: float
    matrix_seconds: float
    method: str
    matrix: str
    precondition: str
    caution: str
    trail: str
