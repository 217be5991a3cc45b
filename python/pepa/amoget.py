"""Where should each stage of a pipeline run?  Descriptions, rankings and explanations of libamoget.

>>> from pepa import amoget
>>> grid = amoget.Description.load("grid.amo")
>>> grid.rank(top=3)[0].mapping
('1', '1', '2')

Times are in seconds, sizes in bytes, bandwidths in bytes and throughputs in items per second.
Processors and stages go by their names, or by numbers from 0.
"""

from __future__ import annotations

import operator
import os
import pathlib
from contextlib import contextmanager
from typing import Any, Callable, Mapping, Optional, Sequence, Tuple, Union

from ._call import CORES, Call, RankingProgress, choose, data_of, path_of, put, read_file, string_of
from ._memory import Guard, Handle, Native
from ._native import ffi, lib
from ._numpy import np
from .errors import ArgumentError, text_of
from .model import Model
from .ranking import Activity, Entry, Explanation, Ranking, Resource, activity_names
from .results import Values

__all__ = ["Activity", "Description", "Entry", "Explanation", "Ranking", "RankingProgress",
           "Resource"]

Name = Union[str, int]
MappingLike = Union[str, Sequence[Name]]
Include = Callable[[str], Union[str, bytes]]

_SEARCH = {text_of(lib.amoget_search_name(s)): s for s in range(lib.AMOGET_SEARCH_COUNT)}
_SHARING = {"static": lib.AMOGET_STATIC, "serial": lib.AMOGET_SERIAL}
_TRANSFER = {"rendezvous": lib.AMOGET_RENDEZVOUS, "buffered": lib.AMOGET_BUFFERED}
_PAIRS: Mapping[Any, int] = {"default": lib.AMOGET_DEFAULT, "local": lib.AMOGET_LOCAL}


class Reading:
    """An AmogetReading with what it points to."""

    __slots__ = ("struct", "_keep")

    def __init__(self, call: Call, defines: Optional[Mapping[str, Any]],
                 include: Optional[Include], now: Optional[float]) -> None:
        pairs = [tuple(ffi.new("char[]", string_of(str(each), "defines")) for each in pair)
                 for pair in (defines or {}).items()]
        array = ffi.new("AmogetDefine[]", pairs)
        included: list = []  # what is included must stay until the description has been read
        self._keep = (pairs, array, included)
        self.struct = how = ffi.new("AmogetReading *")
        how.defines = array
        how.define_count = len(pairs)
        how.diagnose = lib.pepa_py_diagnose
        how.user = call.user
        how.now = now or 0.0
        if include is not None:
            how.include = lib.pepa_py_include

            read = include

            def text_of_file(name: str):
                data = data_of(read(name), name)
                included.append(ffi.new("char[]", data))
                return included[-1], len(data)

            call.include = text_of_file


class Description(Native):
    """A pipeline, processors and a network.

    ``defines`` gives values other than the text, as {"time.p1": "50ms"}; ``include`` returns the
    text of a file that the description includes; ``now``: seconds since 1970, against which
    measurements are old.  Without a text it is empty, and built by ``add_stage`` and so on.
    """

    __slots__ = ("name", "warnings", "_p", "_machine", "_guard", "_rankers")

    def __init__(self, text: Union[str, bytes, None] = None, *, name: str = "description",
                 defines: Optional[Mapping[str, Any]] = None, include: Optional[Include] = None,
                 now: Optional[float] = None) -> None:
        call = Call()
        out = ffi.new("AmogetDescription **")
        if text is None:
            status = lib.amoget_new(out, call.err)
        else:
            data = data_of(text)
            how = Reading(call, defines, include, now)
            status = lib.amoget_parse(out, path_of(name, "name"), data, len(data), how.struct, call.err)
        self._p = ffi.gc(out[0], lib.amoget_free)
        self.name = name
        self.warnings = tuple(call.findings)
        call.check(status)
        self._machine = lib.amoget_machine(self._p)
        self._guard = Guard("description")
        self._rankers: dict = {}

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], **how) -> "Description":
        """The description of a file; files that it includes are beside it."""
        folder = pathlib.Path(os.fsdecode(path)).parent
        how.setdefault("include", lambda name: (folder / name).read_bytes())
        return cls(read_file(path), name=os.fsdecode(path), **how)

    # ---- names -------------------------------------------------------------------------------

    @property
    def stages(self) -> list:
        """Names of the stages."""
        return [text_of(lib.amoget_stage_name(self._p, i))
                for i in range(lib.amoget_stage_count(self._p))]

    @property
    def processors(self) -> list:
        """Names of the processors."""
        return [text_of(lib.amoget_processor_name(self._machine, i))
                for i in range(lib.amoget_processor_count(self._machine))]

    @property
    def mappings(self) -> list:
        """The mappings that the description lists: names of processors, one per stage."""
        stages = lib.amoget_stage_count(self._p)
        return [self._named(lib.amoget_mapping(self._p, i), stages)
                for i in range(lib.amoget_mapping_count(self._p))]

    def _named(self, mapping, stages: int) -> Tuple[str, ...]:
        return tuple(text_of(lib.amoget_processor_name(self._machine, mapping[k]))
                     for k in range(stages))

    def _processor(self, name: Name) -> int:
        return self._find("processor", name, lib.amoget_processor_count(self._machine),
                          lambda text: lib.amoget_find_processor(self._machine, text))

    def _stage(self, name: Name) -> int:
        return self._find("stage", name, lib.amoget_stage_count(self._p),
                          lambda text: lib.amoget_find_stage(self._p, text))

    @staticmethod
    def _find(what: str, name: Name, count: int, find: Callable[[bytes], int]) -> int:
        if isinstance(name, (str, bytes)):
            number = find(string_of(name, what))
            if number < 0:
                raise ArgumentError(f"there is no {what} {name!r}")
            return number
        try:
            number = operator.index(name)
        except TypeError:
            raise TypeError(f"{what}: a name or a number is expected, not {name!r:.60}") from None
        if not 0 <= number < count:
            raise ArgumentError(f"there is no {what} number {number}: numbers are from 0 to {count - 1}, "
                                "names are texts")
        return number

    def _pair(self, a: Name, b: Optional[Name]) -> Tuple[int, int]:
        """Two processors; "default" or "local" alone."""
        if b is None:
            if a not in ("default", "local"):
                raise ArgumentError("two processors are expected, or \"default\" or \"local\"")
            return _PAIRS[a], _PAIRS[a]
        return self._processor(a), self._processor(b)

    def _numbers(self, mapping: MappingLike):
        """A mapping as int32_t[]."""
        stages = lib.amoget_stage_count(self._p)
        out = ffi.new("int32_t[]", max(stages, 1))
        if isinstance(mapping, str):
            call = Call()
            call.check(lib.amoget_read_mapping(self._p, string_of(mapping, "mapping"), out, call.err))
            return out
        if len(mapping) != stages:
            raise ArgumentError(f"a mapping has {stages} processors, not {len(mapping)}")
        out[0:stages] = [self._processor(each) for each in mapping]
        return out

    # ---- numbers -----------------------------------------------------------------------------

    def _change(self, function, *arguments) -> None:
        self._guard.change(Call(), function, *arguments)

    def _extend(self, function, *arguments) -> None:
        """A change of stages, processors or mappings: rankers made before are of no use."""
        def extend(*given):
            self._rankers = {}
            return function(*given)

        self._change(extend, *arguments)

    def add_stage(self, name: str) -> None:
        self._extend(lib.amoget_add_stage, self._p, string_of(name, "name"))

    def add_processor(self, name: str, time: float) -> None:
        """``time``: seconds per unit of work, of a free core."""
        self._extend(lib.amoget_add_processor, self._machine, string_of(name, "name"), time)

    def add_mapping(self, mapping: MappingLike) -> None:
        self._extend(lib.amoget_add_mapping, self._p, self._numbers(mapping))

    def set_work(self, stage: Name, units: float) -> None:
        self._change(lib.amoget_set_work, self._p, self._stage(stage), units)

    def set_output(self, stage: Optional[Name], size: float) -> None:
        """Bytes that a stage sends on; None: that come in."""
        self._change(lib.amoget_set_output, self._p, -1 if stage is None else self._stage(stage),
                     size)

    def set_phases(self, stage: Name, phases: int) -> None:
        """A stage takes the sum of so many equal exponential times: the more, the more constant."""
        self._extend(lib.amoget_set_phases, self._p, self._stage(stage), phases)

    def set_ends(self, input: Optional[Name], output: Optional[Name]) -> None:
        """Where the data starts and must end; None: where the first and the last stage run."""
        numbers = [lib.AMOGET_NOWHERE if each is None else self._processor(each)
                   for each in (input, output)]
        self._change(lib.amoget_set_ends, self._p, *numbers)

    def set_sharing(self, sharing: str) -> None:
        """"static": stages on a processor have equal parts of it; "serial": one at a time."""
        self._extend(lib.amoget_set_sharing, self._p, choose("sharing", sharing, _SHARING))

    def set_transfer(self, transfer: str) -> None:
        """"rendezvous", or "buffered": into a place on the link."""
        self._extend(lib.amoget_set_transfer, self._p, choose("transfer", transfer, _TRANSFER))

    def set_time(self, processor: Name, seconds: float) -> None:
        self._change(lib.amoget_set_time, self._machine, self._processor(processor), seconds)

    def set_availability(self, processor: Name, share: float) -> None:
        self._change(lib.amoget_set_availability, self._machine, self._processor(processor), share)

    def set_cores(self, processor: Name, cores: int) -> None:
        self._change(lib.amoget_set_cores, self._machine, self._processor(processor), cores)

    def set_latency(self, a: Name, b: Optional[Name] = None, *, seconds: float) -> None:
        """Between two processors, or of all pairs: "default", "local"."""
        self._change(lib.amoget_set_latency, self._machine, *self._pair(a, b), seconds)

    def set_bandwidth(self, a: Name, b: Optional[Name] = None, *, bytes_per_second: float) -> None:
        self._change(lib.amoget_set_bandwidth, self._machine, *self._pair(a, b), bytes_per_second)

    def measure(self, text: Union[str, bytes], *, name: str = "measurements",
                now: Optional[float] = None) -> None:
        """Measurements of a monitor: lines "time,what,from,to,value"."""
        data = data_of(text)
        call = Call()
        how = Reading(call, None, None, now)
        self._guard.change(call, lib.amoget_measure, self._machine, string_of(name, "name"), data,
                           len(data), how.struct)

    def time(self, processor: Name) -> float:
        return lib.amoget_time(self._machine, self._processor(processor))

    def availability(self, processor: Name) -> float:
        return lib.amoget_availability(self._machine, self._processor(processor))

    def cores(self, processor: Name) -> int:
        return lib.amoget_cores(self._machine, self._processor(processor))

    def latency(self, a: Name, b: Optional[Name] = None) -> float:
        """NaN: none is given."""
        return lib.amoget_latency(self._machine, *self._pair(a, b))

    def bandwidth(self, a: Name, b: Optional[Name] = None) -> float:
        """Infinite: none is given, and size does not matter."""
        return lib.amoget_bandwidth(self._machine, *self._pair(a, b))

    def work(self, stage: Name) -> float:
        return lib.amoget_work(self._p, self._stage(stage))

    def output(self, stage: Optional[Name]) -> float:
        return lib.amoget_output(self._p, -1 if stage is None else self._stage(stage))

    # ---- mappings ----------------------------------------------------------------------------

    def durations(self, mapping: MappingLike) -> Values:
        """Mean seconds of each activity of a mapping's model."""
        numbers = self._numbers(mapping)
        out = np.empty(lib.amoget_activity_count(self._p))
        call = Call()
        with self._guard.reading():
            call.check(lib.amoget_durations(self._p, numbers, ffi.from_buffer("double[]", out),
                                            call.err))
        stages = lib.amoget_stage_count(self._p)
        return Values(list(activity_names(stages, len(out))), out, "seconds")

    def model(self, mapping: MappingLike) -> Model:
        """The PEPA model of a mapping."""
        numbers = self._numbers(mapping)
        out = ffi.new("char **")
        call = Call()
        with self._guard.reading():
            call.check(lib.amoget_model(self._p, numbers, out, call.err))
        try:
            named = ",".join(self._named(numbers, len(self.stages)))
            return Model(ffi.string(out[0]), name=f"{self.name} ({named})")
        finally:
            lib.amoget_text_free(out[0])

    def rank(self, *, search: str = "auto", top: int = 0, time_limit: float = 0,
             threads: int = CORES, tolerance: float = 0, max_states: int = 0,
             progress=None) -> Ranking:
        """Mappings by throughput, best first.

        ``search``: "listed", "all", or "best", which proves that it is; ``top``: how many entries,
        0: all of them, one with "best"; ``time_limit``: seconds, after which "best" has what it
        found.  Chains are kept for the next ranking, of other numbers.
        """
        call = Call()
        call.report(progress)
        settings = self._settings(call, threads, max_states, top=top, time_limit=time_limit,
                                  tolerance=tolerance, search=choose("search", search, _SEARCH))
        out = ffi.new("AmogetRanking **")
        with self._guard.reading(), self._ranker(settings) as ranker:
            status = lib.amoget_rank(ranker, settings, out, call.err)
        call.check(status)
        return Ranking(out[0], self.processors)

    def explain(self, mapping: MappingLike, *, single: bool = False, time_limit: float = 0,
                threads: int = CORES, tolerance: float = 0, max_states: int = 0,
                progress=None) -> Explanation:
        """What a mapping's throughput depends on; ``single``: without solving for what twice as
        fast resources would give."""
        numbers = self._numbers(mapping)
        call = Call()
        call.report(progress)
        settings = self._settings(call, threads, max_states, single=bool(single),
                                  time_limit=time_limit, tolerance=tolerance)
        out = ffi.new("AmogetExplanation **")
        with self._guard.reading(), self._ranker(settings) as ranker:
            status = lib.amoget_explain(ranker, numbers, settings, out, call.err)
        call.check(status)
        names = self.processors
        return Explanation(out[0], self._named(numbers, len(self.stages)), names)

    @contextmanager
    def _ranker(self, settings):
        """A ranker and the chains that it keeps; while it works, other calls make their own."""
        rankers = self._rankers
        handle = rankers.pop(settings.max_states, None)
        if handle is None:
            call = Call()
            out = ffi.new("AmogetRanker **")
            status = lib.amoget_ranker_new(out, self._p, settings, call.err)
            call.check(status)
            handle = Handle(out[0], lib.amoget_ranker_free, self._p)
        try:
            yield handle.pointer
        finally:
            rankers[settings.max_states] = handle

    def _settings(self, call: Call, threads: int, max_states: int, **members):
        settings = ffi.new("AmogetSettings *")
        settings.progress = lib.pepa_py_ranking
        settings.user = call.user
        for name, value in {"threads": threads, "max_states": max_states, **members}.items():
            put(settings, name, value, name)
        return settings

    def __repr__(self) -> str:
        return (f"<Description {self.name}: {len(self.stages)} stages on "
                f"{len(self.processors)} processors>")
