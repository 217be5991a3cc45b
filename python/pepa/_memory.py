"""Lifetimes: what the library has made, and arrays on its memory."""

from __future__ import annotations

import array
import threading
import weakref
from typing import Optional

from ._native import ffi, lib
from ._numpy import np
from .errors import ArgumentError


class Native:
    """What has memory of the library, which belongs to this process."""

    __slots__ = ()

    def __reduce_ex__(self, protocol):
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled: it is memory of the "
                        "library; send the text, and make it from that")


class Handle:
    """A pointer to be freed, and what must not be freed before it.

    The finalizer is held by the interpreter, not by the handle: so the order holds even where the
    collector finds all of them in one cycle.
    """

    __slots__ = ("pointer", "__weakref__")

    def __init__(self, pointer, free, *keep) -> None:
        self.pointer = pointer
        weakref.finalize(self, _release, free, pointer, keep)


def _release(free, pointer, keep) -> None:
    free(pointer)
    del keep


class Guard:
    """Of an object that threads read at the same time, and that one of them may change.

    While any call reads it without the interpreter lock, changes are refused: waiting for the end
    could be waiting for a callback of oneself.

    Readers are counted by views of a bytearray, which has a fixed size for as long as it has any.  A
    signal can raise after any call of Python code, but not between entering or leaving a view, in C,
    and what it counts; and a view that nobody holds any longer is none.
    """

    __slots__ = ("what", "version", "_lock", "_readers")

    def __init__(self, what: str) -> None:
        self.what = what
        self.version = 0
        self._lock = threading.Lock()
        self._readers = bytearray()

    def reading(self) -> memoryview:
        """Context in which the object stays as it is."""
        with self._lock:
            return memoryview(self._readers)

    def change(self, call, function, *arguments) -> None:
        """Call a function of the library that changes the object, or else leaves it as it was."""
        with self._lock:
            try:
                self._readers.append(0)
            except BufferError:
                raise ArgumentError(f"the {self.what} is in use by another call") from None
            self._readers.clear()
            before, self.version = self.version, self.version + 1  # also where a signal raises
            status = function(*arguments, call.err)
            if status != lib.PEPA_OK:
                self.version = before
        call.check(status)


class _Memory:
    """Memory of the library as numpy sees it; it keeps the owner."""

    __slots__ = ("__array_interface__", "_owner")

    def __init__(self, address, count, kind, stride, owner) -> None:
        self.__array_interface__ = {
            "shape": (count,),
            "typestr": np.dtype(kind).str,
            "strides": (stride,),
            "data": (address, True),
            "version": 3,
        }
        self._owner = owner


def view(pointer, count: int, kind, owner, stride: Optional[int] = None) -> np.ndarray:
    """A read-only array of `count` entries at a pointer, without a copy; it keeps `owner` alive.

    stride: bytes from one entry to the next, where they are members of structures.
    """
    if count == 0:
        return np.empty(0, kind)
    address = int(ffi.cast("uintptr_t", pointer))
    return np.asarray(_Memory(address, count, kind, stride or np.dtype(kind).itemsize, owner))


def doubles(values, name: str = "values") -> np.ndarray:
    """Values as an array of doubles: no copy where they are one already."""
    given = np.asarray(values)
    if given.dtype.kind == "O":  # NumPy would take None for NaN, and texts for numbers
        try:
            given = np.reshape(array.array("d", given.ravel()), given.shape)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
    elif given.dtype.kind not in "biuf":
        raise TypeError(f"{name}: numbers are expected, not {values!r:.60}")
    found = np.ascontiguousarray(given, np.float64)
    if found.ndim > 1:
        raise ArgumentError(f"{name}: an array of one dimension is expected")
    return found.reshape(-1)


def pointer_to(entries: np.ndarray, kind: str = "double[]"):
    """The memory of an array as a C pointer, which keeps the array."""
    return ffi.from_buffer(kind, entries)
