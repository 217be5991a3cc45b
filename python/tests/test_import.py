"""What importing the package brings along: nothing that is not used."""

import subprocess
import sys


def modules_after(code):
    run = subprocess.run([sys.executable, "-c", code + "\nimport sys; print(*sys.modules)"],
                         check=True, capture_output=True, text=True)
    return set(run.stdout.split())


def test_numpy_when_used():
    model = "import pepa; m = pepa.Model('P = (a, 2).Q; Q = (b, 1).P; P')"
    few = modules_after(model + "; m.walk().take('a'); m.structure(); m.text(); m.rates")
    assert not few & {"numpy", "scipy", "pandas", "matplotlib"}
    some = modules_after(model + "; m.solve().throughputs['a']")
    assert "numpy" in some and not some & {"scipy", "pandas", "matplotlib"}
