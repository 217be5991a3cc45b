"""Models: checked text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Tuple, Union

from ._call import Call, Options, data_of, defines_of, path_of, read_file, string_of, taken_text
from ._memory import Native
from ._native import ffi, lib
from .chain import Chain
from .errors import Finding, text_of
from .experiment import Experiment
from .fluid import FluidMoments, fluid_of
from .measures import AnyMeasures
from .optimise import Optimum, optimise_of
from .results import Curves, EstimateCurves, Estimates, Values
from .simulate import PassageSample, simulate_of, simulate_passage_of, simulated_experiment
from .structure import Structure
from .walk import Walk

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Model", "ProbedModel"]


class Model(Native):
    """A model in PEPA, checked; it never changes.

    >>> model = Model("r = 2; P = (a, r).P; P")
    >>> model.rates
    {'r': 2.0}

    ``defines`` gives rates other values than the text, as ``-D`` of the command does.  A text that
    is no model raises ModelError, with line, column and the line in question; warnings are issued
    as ModelWarning and kept in ``warnings``.
    """

    __slots__ = ("name", "warnings", "_p")

    name: str
    warnings: Tuple[Finding, ...]
    _p: Any

    def __init__(self, text: Union[str, bytes], *, name: str = "model",
                 defines: Optional[Mapping[str, float]] = None) -> None:
        data, called = data_of(text), path_of(name, "name")
        call = Call()
        out = ffi.new("PepaModel **")
        how = ffi.new("PepaReading *", {"diagnose": lib.pepa_py_diagnose, "user": call.user})
        array, names = defines_of({} if defines is None else defines)
        how.defines = array
        how.define_count = len(names)
        self._adopt(out, name, call, lib.pepa_model_parse(out, called, data, len(data), how, call.err))

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], *,
             defines: Optional[Mapping[str, float]] = None) -> "Model":
        """The model of a file."""
        return cls(read_file(path), name=os.fsdecode(path), defines=defines)

    def _adopt(self, out, name, call, status) -> None:
        """Take over what the library has made, warnings included, or raise."""
        self._p = ffi.gc(out[0], lib.pepa_model_free)
        self.name = name
        self.warnings = tuple(call.findings)
        call.check(status)

    @property
    def rates(self) -> dict:
        """Values of the rates by name, in the order of the text; NaN for those without a number."""
        return {text_of(lib.pepa_model_rate_name(self._p, i)): lib.pepa_model_rate_value(self._p, i)
                for i in range(lib.pepa_model_rate_count(self._p))}

    @property
    def actions(self) -> list:
        """The action types of the text, tau first."""
        return [text_of(lib.pepa_model_action_name(self._p, i))
                for i in range(lib.pepa_model_action_count(self._p))]

    def text(self) -> str:
        """The model's text, laid out afresh."""
        return taken_text(Call(), lambda out, err: lib.pepa_model_print(self._p, out, err))

    def value(self, expression: str) -> float:
        """The value of an expression over the rates, such as "3 * mu"."""
        call = Call()
        out = ffi.new("double *")
        data = data_of(expression, "expression")
        call.check(lib.pepa_model_value(self._p, b"expression", data, len(data),
                                        lib.pepa_py_diagnose, call.user, out, call.err))
        return out[0]

    def derive(self, **options: "Unpack[Options]") -> Chain:
        """The continuous-time Markov chain: all reachable states.

        Options: threads, memory, max_states, separate_copies, explore, progress.
        Raises LimitError, ModelError (passive activities without drive, and the like).
        """
        return Chain(self, **options)

    def walk(self, **options: "Unpack[Options]") -> Walk:
        """A walk from the initial state, one step at a time; no chain is derived.

        Options: separate_copies, max_states (of ``Walk.jump``), progress.
        """
        return Walk(self, **options)

    def structure(self) -> Structure:
        """The system equation as a tree, and the components with their activities."""
        return Structure(self)

    def solve(self, **options: "Unpack[Options]"):
        """The steady state of the chain: ``self.derive(...).solve(...)``."""
        return self.derive(**options).solve(**options)

    def __repr__(self) -> str:
        return f"<Model {self.name}: {len(self.rates)} rates, {len(self.actions) - 1} actions>"

    def simulate(self, measures: AnyMeasures, times=None,
                 **how) -> Union[Estimates, EstimateCurves]:
        """Estimates with confidence intervals: at times, or, without them, in the long run.

        ``runs``, ``relative_width`` (go on until intervals are so narrow), ``confidence`` (0.95),
        ``seed``, ``events`` (at most); threads, separate_copies, progress.  The same seed gives the
        same digits, whatever the number of threads.
        """
        return simulate_of(self, measures, times, how, rare=False)

    def simulate_rare(self, measures: AnyMeasures, times=None,
                      **how) -> Union[Estimates, EstimateCurves]:
        """The same of probabilities of rare events, by importance splitting (RESTART)."""
        return simulate_of(self, measures, times, how, rare=True)

    def simulate_passage(self, *, times=None, shares=None, from_action=None, from_states=None,
                         from_start: bool = False, to_action=None, to_states=None,
                         **how) -> PassageSample:
        """Passage times from samples: distribution at ``times``, quantiles of ``shares``.  The ends
        are those of Passage, all else is as for ``simulate``."""
        ends = {"from_action": from_action, "from_states": from_states, "from_start": from_start,
                "to_action": to_action, "to_states": to_states}
        return simulate_passage_of(self, times, shares, ends, how)

    def simulate_experiment(self, measures: AnyMeasures, vary: Mapping[str, Any], times=None, *,
                            failures: str = "raise", **how) -> Experiment:
        """Measures while rates vary, by simulation with random numbers in common; at times, or in
        the long run.  ``failures``: as for Chain.experiment; all else is as for ``simulate``."""
        return simulated_experiment(self, measures, vary, times, failures, how)

    def fluid(self, measures: AnyMeasures, times=None, *, moments: bool = False,
              **options: "Unpack[Options]") -> Union[Values, Curves, FluidMoments]:
        """Means of large populations by differential equations: at times, or where they settle.

        ``moments``: with fluctuations, as FluidMoments.  Options: tolerance, separate_copies,
        progress.
        """
        return fluid_of(self, measures, times, moments, options)

    def fluid_individual(self, component: str, **options: "Unpack[Options]") -> "Model":
        """One component among large populations, with the rates that it meets where they settle."""
        call = Call()
        out = ffi.new("PepaModel **")
        status = lib.pepa_fluid_individual(out, self._p, string_of(component, "component"),
                                           call.settings(options), call.err)
        individual = Model.__new__(Model)
        individual._adopt(out, f"{component} in {self.name}", call, status)
        return individual

    def minimise(self, objective: str, within: Mapping[str, Tuple[float, float]], *,
                 subject: Union[str, Sequence[str]] = (),
                 **options: "Unpack[Options]") -> Optimum:
        """The rates, each between two bounds, at which a measure is least.

        ``subject``: constraints, such as "throughput:serve >= 0.9"; of rates that are numbers of
        copies the whole numbers are candidates.
        """
        return optimise_of(self, objective, within, subject, False, options)

    def maximise(self, objective: str, within: Mapping[str, Tuple[float, float]], *,
                 subject: Union[str, Sequence[str]] = (),
                 **options: "Unpack[Options]") -> Optimum:
        """As minimise, of the largest value."""
        return optimise_of(self, objective, within, subject, True, options)

    def probe(self, text: str, *, once: bool = False) -> "ProbedModel":
        """The model with a stochastic probe as one component more: pepa-probes(5) has the language.

        >>> probed = model.probe("Client:(request:start, response:stop)")
        >>> probed.derive().solve().passage(**probed.ends)

        ``once``: the probe stays stopped after its first :stop, for passages from the start.
        """
        call = Call()
        out = ffi.new("PepaModel **")
        probe = ffi.new("PepaProbe *")
        data = data_of(text, "text")
        status = lib.pepa_model_probe(out, self._p, b"probe", data, len(data), bool(once),
                                      lib.pepa_py_diagnose, call.user, probe, call.err)
        probed = ProbedModel.__new__(ProbedModel)
        try:
            probed.running, probed.stopped = text_of(probe.running), text_of(probe.stopped)
            probed.once = once
            probed._adopt(out, f"{self.name} with a probe", call, status)
        finally:
            lib.pepa_text_free(probe.running)
            lib.pepa_text_free(probe.stopped)
        return probed


class ProbedModel(Model):
    """A model with a probe: passages lead from entering ``running`` to entering ``stopped``."""

    __slots__ = ("running", "stopped", "once")

    running: str
    stopped: str
    once: bool

    @property
    def ends(self) -> dict:
        """Arguments for the passage of the probe."""
        ends = {} if self.once else {"from_states": self.running}
        return {**ends, "to_states": self.stopped}
