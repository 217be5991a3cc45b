"""Measures and predicates as text, read once for a model.  pepa-measures(5) has the language."""

from __future__ import annotations

from collections.abc import Sequence as AnySequence
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

from ._call import Call, data_of
from ._memory import Native
from ._native import ffi, lib
from .errors import text_of

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Measures", "Predicate"]

MeasureText = Union[str, Sequence[str], Mapping[str, str]]


class Measures(Native):
    """A list of measures of a model.

    ``what`` is a text with one measure to a line, a sequence of such texts, or a dictionary from
    names to expressions.  Measures may use the names of those before them.
    """

    __slots__ = ("model", "names", "_p")

    def __init__(self, model: "Model", what: MeasureText) -> None:
        if isinstance(what, Mapping):
            what = [f"{name} = {text}" for name, text in what.items()]
        if not isinstance(what, (str, bytes, AnySequence)):
            raise TypeError(f"measures: a text, texts or a dictionary are expected, not {what!r}")
        texts = [what] if isinstance(what, (str, bytes)) else what
        text = b"\n".join(data_of(each, "measures") for each in texts)
        call = Call()
        out = ffi.new("PepaMeasures **")
        call.check(lib.pepa_measures_new(out, model._p, call.err))
        self._p = ffi.gc(out[0], lib.pepa_measures_free)
        call.check(lib.pepa_measures_add(self._p, b"measures", text, len(text),
                                         lib.pepa_py_diagnose, call.user, call.err))
        self.model = model
        self.names = [text_of(lib.pepa_measures_name(self._p, i))
                      for i in range(lib.pepa_measures_count(self._p))]

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Measures({self.names!r})"


AnyMeasures = Union[Measures, MeasureText]


def measures_of(model: "Model", what: AnyMeasures) -> Measures:
    """Measures as they are, or read from text."""
    return what if isinstance(what, Measures) else Measures(model, what)


class ModelText(Native):
    """A text about a model that is read once; ``_kind`` names the library's functions for it."""

    __slots__ = ("model", "text", "_p")

    model: "Model"
    text: str
    _p: Any
    _kind: str

    def __init__(self, model: "Model", text: str) -> None:
        call = Call()
        out = ffi.new(f"Pepa{self._kind.capitalize()} **")
        data = data_of(text, "text")
        new, free = (getattr(lib, f"pepa_{self._kind}_{verb}") for verb in ("new", "free"))
        call.check(new(out, model._p, self._kind.encode(), data, len(data), lib.pepa_py_diagnose,
                       call.user, call.err))
        self._p = ffi.gc(out[0], free)
        self.model = model
        self.text = text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    @classmethod
    def of(cls, model: "Model", what):
        """One as it is, or read from text."""
        return what if isinstance(what, cls) else cls(model, what)


class Predicate(ModelText):
    """A condition on states, such as ``"Down >= 1 && !enabled(serve)"``."""

    __slots__ = ()
    _kind = "predicate"
