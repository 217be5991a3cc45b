"""Lifetimes: what the library has made, and arrays on its memory."""

from __future__ import annotations

import weakref

import numpy as np

from ._native import ffi


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


class _Memory:
    """Memory of the library as numpy sees it; it keeps the owner."""

    __slots__ = ("__array_interface__", "_owner")

    def __init__(self, address, count, kind, owner) -> None:
        self.__array_interface__ = {
            "shape": (count,),
            "typestr": np.dtype(kind).str,
            "data": (address, True),
            "version": 3,
        }
        self._owner = owner


def view(pointer, count: int, kind, owner) -> np.ndarray:
    """A read-only array of `count` entries at a pointer, without a copy; it keeps `owner` alive."""
    if count == 0:
        return np.empty(0, kind)
    return np.asarray(_Memory(int(ffi.cast("uintptr_t", pointer)), count, kind, owner))


def doubles(values, name: str = "values") -> np.ndarray:
    """Values as an array of doubles: no copy where they are one already."""
    array = np.ascontiguousarray(values, np.float64)
    if array.ndim > 1:
        raise ValueError(f"{name}: an array of one dimension is expected")
    return array.reshape(-1)


def pointer_to(array: np.ndarray, kind: str = "double[]"):
    """The memory of an array as a C pointer, which keeps the array."""
    return ffi.from_buffer(kind, array)
