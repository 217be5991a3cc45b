"""Exceptions: one class for each way in which the library says no, with the place in the text.

All are PepaError.  Those that Python has a name for are that, too: ValueError, MemoryError,
OSError.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence

from ._native import ffi, lib

__all__ = [
    "ArgumentError", "CancelledError", "ConvergenceError", "FileError", "Finding", "LimitError",
    "ModelError", "ModelSyntaxError", "ModelWarning", "OutOfMemoryError", "PepaError",
    "UnsupportedError",
]


class Finding(NamedTuple):
    """One error or warning about a text.

    ``line`` and ``column`` count from 1; 0: it is about the text as a whole.  ``excerpt`` is the
    source line and a line with carets below it.
    """

    severity: str
    file: str
    line: int
    column: int
    message: str
    excerpt: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        text = f"{place}: {self.severity}: {self.message}"
        return f"{text}\n{self.excerpt.rstrip()}" if self.excerpt else text


class ModelWarning(UserWarning):
    """The category of warnings about models and measures."""


class PepaError(Exception):
    """What the library cannot do, and why.

    ``status`` is the library's name of the reason, ``limit`` which setting stopped the work, or
    None.  ``findings`` are all errors and warnings; ``file``, ``line``, ``column`` and ``excerpt``
    are those of the first error, if it has a place.
    """

    def __init__(self, message: str, *, status: str = "", limit: Optional[str] = None,
                 line: int = 0, column: int = 0, findings: Sequence[Finding] = (),
                 info: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.limit = limit
        self.findings = tuple(findings)
        self.info = info
        first = next((f for f in self.findings if f.severity == "error"), None)
        self.file = first.file if first else ""
        self.line = first.line if first else line
        self.column = first.column if first else column
        self.excerpt = first.excerpt if first else ""

    def __str__(self) -> str:
        errors = [str(f) for f in self.findings if f.severity == "error"]
        return "\n".join(errors) if errors else self.message


class ModelError(PepaError, ValueError):
    """The text is a model, but has no meaning: names, rates, passive activities."""


class ModelSyntaxError(ModelError):
    """The text is no model or description."""


class ArgumentError(PepaError, ValueError):
    """An unknown name, a measure that makes no sense, a value out of range."""


class LimitError(PepaError):
    """A limit was hit: ``limit`` names the option that raises it."""


class UnsupportedError(LimitError):
    """The chain or the model does not suit the method or form that was requested."""


class ConvergenceError(PepaError):
    """There is no answer within the tolerance; ``info`` tells how far it came, or is None."""


class CancelledError(PepaError):
    """The progress callback has returned something true."""


class OutOfMemoryError(PepaError, MemoryError):
    """Memory ran out."""


class FileError(PepaError, OSError):
    """A file cannot be read.  ``errno``, ``strerror`` and ``filename`` are those of the OSError; None
    where the file is one that the text names."""

    errno: Optional[int] = None
    strerror: Optional[str] = None
    filename: Optional[str] = None

    @classmethod
    def of(cls, name: str, cause: OSError) -> "FileError":
        self = cls(f"cannot read {name}: {cause.strerror or cause}",
                   status=text_of(lib.pepa_status_text(lib.PEPA_EIO)))
        self.errno, self.strerror = cause.errno, cause.strerror
        self.filename = self.file = name
        return self


# PepaLimit: the option that names it, and whether the work is impossible in this way, however high.
_LIMITS = {
    lib.PEPA_LIMIT_STATES: ("max_states", False),
    lib.PEPA_LIMIT_MEMORY: ("memory", False),
    lib.PEPA_LIMIT_ITERATIONS: ("max_iter", False),
    lib.PEPA_LIMIT_MATRIX: ("matrix", True),
    lib.PEPA_LIMIT_METHOD: ("method", True),
    lib.PEPA_LIMIT_EXPLORE: ("explore", True),
    lib.PEPA_LIMIT_COPIES: ("separate_copies", True),
    lib.PEPA_LIMIT_COMPONENTS: ("components", True),
    lib.PEPA_LIMIT_SIMULATION: ("events", False),
}

_CLASSES = {
    lib.PEPA_EARG: ArgumentError,
    lib.PEPA_ENOMEM: OutOfMemoryError,
    lib.PEPA_EIO: FileError,
    lib.PEPA_ESYNTAX: ModelSyntaxError,
    lib.PEPA_EMODEL: ModelError,
    lib.PEPA_ELIMIT: LimitError,
    lib.PEPA_ENOCONV: ConvergenceError,
    lib.PEPA_ECANCEL: CancelledError,
}


def text_of(pointer) -> str:
    """A C string; bytes that are no UTF-8 are replaced."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def error_of(status: int, err, findings: Sequence[Finding], info: Any) -> PepaError:
    """The exception for a status other than PEPA_OK and what the library wrote to err."""
    kind = _CLASSES.get(status, PepaError)
    limit, impossible = _LIMITS.get(err.limit, (None, False))
    if impossible and status in (lib.PEPA_ELIMIT, lib.PEPA_EARG):
        kind = UnsupportedError
    return kind(
        text_of(err.message) or text_of(lib.pepa_status_text(status)),
        status=text_of(lib.pepa_status_text(status)),
        limit=limit,
        line=err.line,
        column=err.column,
        findings=findings,
        info=info,
    )
