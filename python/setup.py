"""The extension module; everything else is in pyproject.toml."""

from setuptools import setup

setup(cffi_modules=["build_native.py:ffi"])
