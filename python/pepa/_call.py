"""One call of the library: its settings, what it reports back, and its outcome as an exception.

The extension releases the interpreter lock while the library works.  Progress and findings come
back through the callbacks below; an exception in them, KeyboardInterrupt among them, cancels the
work and leaves the call that was interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from types import FrameType
from typing import Any, Callable, Mapping, NamedTuple, Optional, Union

from ._native import ffi, lib
from .errors import ArgumentError, FileError, Finding, ModelWarning, error_of, text_of

try:
    from typing import TypedDict
except ImportError:  # pragma: no cover
    TypedDict = dict  # type: ignore


class Progress(NamedTuple):
    """What a progress callback is given, about every 0.1 s.

    ``phase`` is "derive", "solve", "transient", "simulate" and the like; what ``count`` and
    ``measure`` are depends on it: states and transitions, iterations and the residual, ...
    ``left`` estimates the seconds until the end; None: not known.
    """

    phase: str
    count: int  # type: ignore[assignment]  # hides tuple.count
    measure: float
    seconds: float
    method: str
    left: Optional[float]


class RankingProgress(NamedTuple):
    """The same of rankings: mappings so far, and between which numbers the best throughput is."""

    candidates: float
    solved: float
    pruned: float
    best: float
    bound: float
    seconds: float


ProgressFunction = Callable[[Progress], Any]


class Options(TypedDict, total=False):
    """Options of all analyses; each heeds those that concern it.

    threads: most to use, one per core by default; no result depends on it.
    memory: bytes that a chain, its distribution and the solution may take.
    progress: called about every 0.1 s; something true cancels the work.
    max_states, separate_copies, explore ("explicit", "symbolic", "auto"): how states are found.
    method, matrix, precondition, tolerance, max_iter: how linear systems are solved, as in pepa(1).
    """

    threads: int
    memory: int
    progress: Optional[ProgressFunction]
    max_states: int
    separate_copies: bool
    explore: str
    method: str
    matrix: str
    precondition: str
    tolerance: float
    max_iter: int


_EXPLORE = {
    "explicit": lib.PEPA_EXPLICIT,
    "symbolic": lib.PEPA_SYMBOLIC,
    "auto": lib.PEPA_EXPLORE_AUTO,
}
_MATRIX = {
    "auto": lib.PEPA_MATRIX_AUTO,
    "explicit": lib.PEPA_MATRIX_EXPLICIT,
    "compact": lib.PEPA_MATRIX_COMPACT,
    "free": lib.PEPA_MATRIX_FREE,
}
_PRECONDITION = {
    "auto": lib.PEPA_PRECONDITION_AUTO,
    "none": lib.PEPA_PRECONDITION_NONE,
    "sweep": lib.PEPA_PRECONDITION_SWEEP,
    "symmetric": lib.PEPA_PRECONDITION_SYMMETRIC,
    "ilu0": lib.PEPA_PRECONDITION_ILU0,
    "ilut": lib.PEPA_PRECONDITION_ILUT,
    "block": lib.PEPA_PRECONDITION_BLOCK,
    "multilevel": lib.PEPA_PRECONDITION_MULTILEVEL,
}
_METHOD = {
    text_of(lib.pepa_method_name(method)): method
    for method in range(lib.PEPA_METHOD_COUNT)
}

# Option: its part of PepaSettings (None: the settings themselves), its member, its values' names.
_OPTIONS = {
    "threads": (None, "threads", None),
    "memory": (None, "memory", None),
    "max_states": ("derive", "max_states", None),
    "separate_copies": ("derive", "separate_copies", None),
    "explore": ("derive", "explore", _EXPLORE),
    "method": ("solve", "method", _METHOD),
    "matrix": ("solve", "matrix", _MATRIX),
    "precondition": ("solve", "precondition", _PRECONDITION),
    "tolerance": ("solve", "tolerance", None),
    "max_iter": ("solve", "max_iter", None),
}


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


CORES = _cores()


def choose(name: str, value: Any, names: dict) -> int:
    """The number behind the name of a choice."""
    try:
        return names[value]
    except (KeyError, TypeError):
        raise ArgumentError(f"{name}: {value!r} is none of {', '.join(names)}") from None


def put(struct, member: str, value: Any, name: str) -> None:
    """Assign a member; a value of the wrong type or size is said to be the option's."""
    try:
        setattr(struct, member, value)
    except OverflowError as error:
        raise ArgumentError(f"{name}: {error}") from None
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def data_of(text: Union[str, bytes], what: str = "text") -> bytes:
    """The bytes of a text."""
    if isinstance(text, str):
        return text.encode()
    if isinstance(text, (bytes, bytearray, memoryview)):
        return bytes(text)
    raise TypeError(f"{what}: str or bytes are expected, not {type(text).__name__}")


def string_of(text: Union[str, bytes], what: str) -> bytes:
    """The same for functions that take a string up to its first NUL."""
    data = data_of(text, what)
    if b"\0" in data:
        raise ArgumentError(f"{what}: {text!r} has a NUL in it")
    return data


def path_of(path, what: str = "path") -> bytes:
    """The same of a path."""
    return string_of(os.fsencode(path), what)


MOST_TEXT = 2**31 - 3  # bytes, of models and descriptions


def read_file(path) -> bytes:
    """What a file holds."""
    path_of(path)
    try:
        with open(path, "rb") as file:
            return file.read(MOST_TEXT + 1)  # a text that is too long is refused where it is read
    except OSError as error:
        raise FileError.of(os.fsdecode(path), error) from None


def integer(kind: str, value: Any, name: str) -> int:
    """An integer that fits into a type of C."""
    number = ffi.new(f"{kind} *")
    try:
        number[0] = value
    except OverflowError as error:
        raise ArgumentError(f"{name}: {error}") from None
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    return number[0]


def mapping(value: Any, name: str) -> Mapping:
    """A mapping as it is; anything else is said to be none."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}: a mapping is expected, not {type(value).__name__}")
    return value


def defines_of(values: Mapping[str, float], what: str = "defines"):
    """An array of PepaDefine, and the names that it points to."""
    names = [ffi.new("char[]", string_of(name, what)) for name in mapping(values, what)]
    array = ffi.new("PepaDefine[]", len(names))
    for each, name, (key, value) in zip(array, names, values.items()):
        each.rate = name
        put(each, "value", value, f"{what}: {key}")
    return array, names


def _level_of_caller() -> int:
    """How many frames above the caller of this function the package has been entered."""
    level = 1
    frame: Optional[FrameType] = sys._getframe(1)
    while frame and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


class Call:
    """The state of one call.  `err` is the library's PepaError."""

    __slots__ = ("err", "findings", "include", "progress", "raised", "user", "_settings")

    def __init__(self) -> None:
        self.err = ffi.new("PepaError *")
        self.findings: list = []
        self.progress: Optional[Callable] = None
        self.include: Any = None
        self.raised: Optional[BaseException] = None
        self.user = ffi.new_handle(self)
        self._settings = None

    def report(self, progress: Optional[Callable]) -> None:
        """Call a function with the progress."""
        if progress is not None and not callable(progress):
            raise TypeError(f"progress: a function is expected, not {type(progress).__name__}")
        self.progress = progress

    def settings(self, options: Mapping[str, Any]):
        """A PepaSettings with the options; it lives as long as this call."""
        self._settings = settings = ffi.new("PepaSettings *")
        settings.threads = CORES
        settings.progress = lib.pepa_py_progress
        settings.user = self.user
        settings.derive.diagnose = lib.pepa_py_diagnose
        for name, value in options.items():
            if value is None:
                continue
            if name == "progress":
                self.report(value)
                continue
            try:
                part, member, names = _OPTIONS[name]
            except KeyError:
                raise TypeError(f"unknown option {name!r}; there are progress, "
                                f"{', '.join(_OPTIONS)}") from None
            struct = getattr(settings, part) if part else settings
            put(struct, member, value if names is None else choose(name, value, names), name)
        return settings

    def check(self, status: int, info: Any = None) -> None:
        """Raise what the call has ended with, if it is not PEPA_OK; pass on warnings otherwise."""
        raised, self.raised = self.raised, None
        if raised is not None:
            try:
                raise raised
            finally:
                del raised
        findings, self.findings = self.findings, []
        if status != lib.PEPA_OK:
            if status != lib.PEPA_ENOCONV:
                info = None
            raise error_of(status, self.err, findings, info() if callable(info) else info)
        for finding in findings:
            warnings.warn(str(finding), ModelWarning, stacklevel=_level_of_caller())


def taken_text(call: Call, give: Callable) -> str:
    """The text that ``give(out, err)`` lets the library write, which is freed."""
    out = ffi.new("char **")
    call.check(give(out, call.err))
    try:
        return text_of(out[0])
    finally:
        lib.pepa_text_free(out[0])


def _keep(kind, value, trace) -> None:
    """An exception in a callback: its call raises it later."""
    if trace is not None:
        user = trace.tb_frame.f_locals.get("user")
        if user is not None:
            ffi.from_handle(user).raised = value


@ffi.def_extern(error=1, onerror=_keep)
def pepa_py_progress(user, now):
    call = ffi.from_handle(user)
    if call.raised is not None:
        return 1
    if call.progress is None:
        return 0
    left = now.left if now.left >= 0 else None
    return 1 if call.progress(Progress(text_of(now.phase), now.count, now.measure, now.seconds,
                                       text_of(now.method), left)) else 0


@ffi.def_extern(onerror=_keep)
def pepa_py_diagnose(user, each):
    severity = "warning" if each.severity == lib.PEPA_WARNING else "error"
    ffi.from_handle(user).findings.append(
        Finding(severity, text_of(each.file), each.line, each.column, text_of(each.message),
                text_of(each.excerpt)))


@ffi.def_extern(error=1, onerror=_keep)
def pepa_py_ranking(user, now):
    call = ffi.from_handle(user)
    if call.raised is not None:
        return 1
    if call.progress is None:
        return 0
    return 1 if call.progress(RankingProgress(now.candidates, now.solved, now.pruned, now.best,
                                              now.bound, now.seconds)) else 0


@ffi.def_extern(onerror=_keep)
def pepa_py_include(user, file, length, err):
    """The text of an included file; an OSError is the library's error, with the place of the
    statement, any other exception leaves the call."""
    call = ffi.from_handle(user)
    err.code = lib.PEPA_EIO
    err.message = b"cannot be read"
    name = text_of(file)
    try:
        text, length[0] = call.include(name)
    except OSError as error:
        message = f"cannot read {name}: {error.strerror or error}".encode()
        err.message = message[:len(err.message) - 1]
        return ffi.NULL
    return text
