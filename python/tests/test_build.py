"""Where the extension module looks for the libraries, and what it makes of their headers."""

import os
import pathlib
import runpy
import shutil

import pytest
from conftest import MODELS

import pepa
from pepa._native import ffi, lib

ROOT = MODELS.parent
SCRIPT = ROOT / "python" / "build_native.py"


@pytest.fixture
def prefix():
    """The tree that the installed package was built against."""
    return pathlib.Path(os.environ.get("PEPA_TEST_ROOT", ROOT / "build"))


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A copy of the script that has no checkout around it, and finds no package."""
    monkeypatch.delenv("PEPA_ROOT", raising=False)
    monkeypatch.delenv("PKG_CONFIG_PATH", raising=False)
    monkeypatch.setenv("PKG_CONFIG_LIBDIR", str(tmp_path))
    (tmp_path / "package").mkdir()
    return shutil.copy(SCRIPT, tmp_path / "package")


def test_nowhere(alone):
    with pytest.raises(SystemExit, match="PKG_CONFIG_PATH, or PEPA_ROOT"):
        runpy.run_path(alone)


def test_root(alone, prefix, monkeypatch):
    monkeypatch.setenv("PEPA_ROOT", str(prefix))
    found = runpy.run_path(alone)
    assert found["include"] == str(prefix.resolve() / "include")
    assert found["library"] == str(prefix.resolve() / "lib")


def test_pkg_config(alone, prefix, tmp_path, monkeypatch):
    for name in ("pepa", "amoget"):
        (tmp_path / f"{name}.pc").write_text(
            f"includedir={prefix}/include\nlibdir={prefix}/lib\n"
            f"Name: {name}\nDescription: x\nVersion: 0\n")
    monkeypatch.setenv("PKG_CONFIG_PATH", str(tmp_path))
    assert runpy.run_path(alone)["library"] == f"{prefix}/lib"


def test_structures_are_those_of_the_headers():
    """Sizes by the compiler; settings begin with what the manual says."""
    settings = ffi.new("PepaSettings *")
    assert settings.threads == 0 and settings.solve.tolerance == 0
    assert len(settings.reserved) == 7 and not any(settings.reserved)
    assert ffi.sizeof("PepaEstimate") == 3 * ffi.sizeof("double")
    assert ffi.sizeof("PepaMoment") == 3 * ffi.sizeof("double")
    assert lib.PEPA_MOST_POINTS == 10_000_000
    assert pepa.__version__
