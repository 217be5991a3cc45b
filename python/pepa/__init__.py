"""Performance models in PEPA: from text to certified answers, in Python.

>>> import pepa
>>> model = pepa.Model("r = 2; s = 3; P = (a, r).Q; Q = (b, s).P; P")
>>> steady = model.derive().solve()
>>> round(steady.throughputs["a"], 9)
1.2
"""

from ._call import Options, Progress
from ._native import ffi as _ffi, lib as _lib
from .amoget import Description, Explanation, Ranking
from .chain import Chain, Position, Transitions
from .errors import *  # noqa: F401,F403
from .errors import __all__ as _errors
from .experiment import Experiment, ExperimentInfo
from .fitting import Candidate, Fit, FitTest, SampleMoments, fit, read_durations
from .fluid import FluidInfo, FluidMoments
from .formula import Formula, StateVerdicts, Verdict
from .lumping import Lumping
from .measures import Measures, Predicate
from .model import Model, ProbedModel
from .optimise import Optimum, OptimumInfo
from .passage import Moments, Passage
from .results import Curves, Estimate, EstimateCurves, Estimates, SolveInfo, Values
from .sensitivity import Sensitivity
from .simulate import PassageSample, SimulationInfo
from .steady import Distribution, SteadyState
from .structure import Activity, LocalState, Node, Structure
from .transient import TransientInfo
from .walk import Run, Step, Walk

__version__ = _ffi.string(_lib.pepa_version()).decode()

__all__ = _errors + [
    "Activity", "Candidate", "Chain", "Curves", "Description", "Distribution", "Estimate",
    "EstimateCurves", "Estimates", "Experiment", "ExperimentInfo", "Explanation", "Fit",
    "FitTest", "FluidInfo", "FluidMoments", "Formula", "LocalState", "Lumping", "Measures",
    "Model", "Moments", "Node", "Optimum", "OptimumInfo", "Options", "Passage",
    "PassageSample", "Position", "Predicate", "ProbedModel", "Progress", "Ranking", "Run",
    "SampleMoments", "Sensitivity", "SimulationInfo", "SolveInfo", "StateVerdicts",
    "SteadyState", "Step", "Structure", "TransientInfo", "Transitions", "Values", "Verdict",
    "Walk", "fit", "read_durations",
]
