"""pepa._native: the public headers of libpepa and libamoget for Python.

The declarations are read from the installed headers, and the C compiler compares what cffi makes of
them with the same headers, so that structures cannot differ from those of the library.

The libraries are looked for in PEPA_ROOT (with include/ and lib/), then by pkg-config, then in the
build/ of a checkout that this folder is part of.  With DESTDIR, what is looked for in PEPA_ROOT stands
below DESTDIR still, as when packages are made.
"""

import os
import pathlib
import re
import subprocess

import cffi

# In an order in which each follows those that it includes.
HEADERS = [
    "pepa.h",
    "pepa_measure.h",
    "pepa_transient.h",
    "pepa_passage.h",
    "pepa_simulate.h",
    "pepa_fluid.h",
    "pepa_shared.h",
    "pepa_experiment.h",
    "pepa_optimise.h",
    "pepa_lump.h",
    "pepa_csl.h",
    "pepa_structure.h",
    "pepa_walk.h",
    "pepa_fit.h",
    "amoget_machine.h",
    "amoget.h",
]

# What the library calls, and loops over states that Python would be slow at.
CALLBACKS = """
extern "Python" int pepa_py_progress(void *user, const PepaProgress *now);
extern "Python" void pepa_py_diagnose(void *user, const PepaDiagnostic *each);
extern "Python" int pepa_py_ranking(void *user, const AmogetProgress *now);
extern "Python" const char *pepa_py_include(void *user, const char *file, size_t *length,
                                            PepaError *err);
PepaStatus pepa_py_counts(const PepaChain *chain, int64_t first, int64_t count, int32_t *counts,
                          PepaError *err);
"""

HELPERS = """
/* Counts of `count` states from `first` on, one row each. */
static PepaStatus pepa_py_counts(const PepaChain *chain, int64_t first, int64_t count,
                                 int32_t *counts, PepaError *err)
{
    int32_t width = pepa_chain_info(chain).counts;
    PepaStatus status = PEPA_OK;
    for (int64_t i = 0; i < count && status == PEPA_OK; i++)
        status = pepa_chain_state_counts(chain, first + i, counts + i * width, err);
    return status;
}
"""


def ask_pkg_config(variable):
    """The value of a variable of the installed amoget.pc, or None."""
    try:
        return subprocess.run(
            ["pkg-config", f"--variable={variable}", "amoget"],
            check=True, capture_output=True, text=True,
        ).stdout.strip() or None
    except (OSError, subprocess.CalledProcessError):
        return None


def places():
    """The folders of the headers and of the libraries, and where the libraries will be."""
    root = os.environ.get("PEPA_ROOT")
    checkout = pathlib.Path(__file__).resolve().parent.parent / "build"
    if not root and ask_pkg_config("includedir"):
        return ask_pkg_config("includedir"), ask_pkg_config("libdir"), ask_pkg_config("libdir")
    if not root and (checkout / "include" / "amoget.h").exists():
        root = checkout
    if not root:
        raise SystemExit(
            "pepa: libpepa and libamoget are not installed where pkg-config finds them; "
            "set PKG_CONFIG_PATH, or PEPA_ROOT to the prefix of their installation"
        )
    root = pathlib.Path(root).resolve()
    now = pathlib.Path(os.environ.get("DESTDIR", "") + str(root))
    return str(now / "include"), str(now / "lib"), str(root / "lib")


def declarations(header):
    """A header without comments, directives and the bodies of inline functions."""
    text = pathlib.Path(include, header).read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"static inline ([^{;]*?)\s*\{.*?^\}", r"\1;", text, flags=re.S | re.M)
    text = re.sub(r"^#(?!define \w+ \d+\s*$).*?$", "", text, flags=re.M)
    return re.sub(r"\bPEPA_API\b", "", text)


include, library, installed = places()
ffi = cffi.FFI()
ffi.cdef("".join(declarations(header) for header in HEADERS) + CALLBACKS)
ffi.set_source(
    "pepa._native",
    "".join(f"#include <{header}>\n" for header in HEADERS) + HELPERS,
    include_dirs=[include],
    library_dirs=[library],
    # The loader looks into /usr/lib by itself.
    runtime_library_dirs=[] if installed == "/usr/lib" else [installed],
    libraries=["amoget", "pepa"],
)
