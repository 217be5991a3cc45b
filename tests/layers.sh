#!/bin/sh
# Each folder includes only what the design lets it see (doc/design.md, "Rooms").
set -eu
cd "$(dirname "$0")/.."
bad=0

# check FOLDER PATTERN: every #include "..." of the files in FOLDER itself matches PATTERN.
check() {
    if grep -Hn '^#include "' "$1"/*.[chly] | grep -vE "#include \"($2)\""; then
        bad=1
    fi
    checked="$checked $1"
}
checked=""
base='base/[a-z_]+\.h|pepa(_evidence|_shared)?\.h'
system="$base|parser/model\.h|ctmc/system/[a-z_]+\.h"
semantics="$system|ctmc/semantics/[a-z_]+\.h"
diagram="$semantics|ctmc/diagram/[a-z_]+\.h"
solver="$base|solvers/(solver|internal|filling|parts|tuning|wide|lanes)\.h"
check src/base          "$base"
check parser            "$base|parser/[a-z_]+\.h|pepa\.(tab|lex)\.h"
check parser/query      "$base|parser/model\.h|parser/query/[a-z_]+\.h|query\.(tab|lex)\.h"
check parser/probe      "$base|parser/(model|ast)\.h|parser/probe/[a-z_]+\.h|probe\.(tab|lex)\.h"
check ctmc/system       "$system"
check ctmc/semantics    "$semantics"
check ctmc/diagram      "$diagram"
check ctmc              "$diagram|ctmc/[a-z_]+\.h"
check ctmc/share        "$diagram|ctmc/share/[a-z_]+\.h"
check ctmc/simulate     "$semantics|ctmc/state_function\.h|ctmc/simulate/[a-z_]+\.h"
check ctmc/explore      "$diagram|ctmc/chain\.h|ctmc/explore/[a-z_]+\.h"
check solvers           "$solver|solvers/(krylov|rows)/[a-z_]+\.h"
check solvers/potential "$solver|solvers/(potential|direct|krylov)/[a-z_]+\.h"
check solvers/schedule  "$base|solvers/schedule/[a-z_]+\.h"
check solvers/transient "$solver|solvers/(transient|direct)/[a-z_]+\.h"
check solvers/rows      "$solver|solvers/(rows|schedule)/[a-z_]+\.h"
check solvers/direct    "$solver|solvers/direct/[a-z_]+\.h"
check solvers/sweep     "$solver|solvers/(sweep|rows)/[a-z_]+\.h"
check solvers/multilevel "$solver|solvers/(multilevel|rows)/[a-z_]+\.h"
check solvers/krylov    "$solver|solvers/(krylov|multilevel|direct|rows)/[a-z_]+\.h"
check solvers/blocks    "$solver|solvers/(blocks|schedule)/[a-z_]+\.h"
check src/fluid         "$semantics|fluid/[a-z_]+\.h"
check src/measure       '(base|parser|ctmc|solvers|fluid|measure)/[a-z_/]+\.h|pepa(_evidence|_shared)?\.h'
check src/optimise      "$base|optimise/[a-z_]+\.h|pepa_optimise\.h"
check src/fit           "$base|fit/[a-z_]+\.h|pepa_fit\.h"
check src/api           '(base|parser|ctmc|solvers|fluid|measure|optimise|fit|api)/[a-z_/]+\.h|pepa(_fit|_evidence|_measure|_passage|_transient|_simulate|_fluid|_experiment|_optimise|_structure|_walk|_lump|_csl|_shared)?\.h'
tool='(tool|cores)\.h|base/(clock|intern|mem|number)\.h'
check src/cli           "$tool|(analyses|copies|export|graph|memory|options|report|session|drawing|together|ending|checkpoint|plot(_style)?|lsp/lsp)\.h"
check src/lsp           "$base|parser/(ast|check|model|parse|remark)\.h|lsp/[a-z_]+\.h|amoget(_machine|_program)?\.h|amoget/syntax/syntax\.h"
# The workbench: no analysis, and nothing of the library but its version.
check src/serve         "$tool|(memory|options)\.h|page\.h|serve/[a-z_]+\.h"
# The command on MPI: nothing else of it knows MPI.
check src/mpi           "base/mem\.h|(tool|together|hosts|meet|description_file|amoget_machine|pepa_mpi|pepa_shared)\.h|grid/launch/launch\.h"
syntax="$base|amoget/syntax/[a-z_]+\.h"
described="$syntax|amoget_machine\.h|amoget/machine/[a-z_]+\.h"
pipeline="$described|amoget\.h|amoget/description/[a-z_]+\.h"
model="$pipeline|amoget/model/[a-z_]+\.h"
check amoget/syntax     "$syntax|desc\.(tab|lex)\.h"
check amoget/machine    "$described"
check amoget/description "$pipeline"
check amoget/program    "$described|amoget_program\.h|amoget/program/[a-z_]+\.h"
check amoget/model      "$model"
check amoget/search     "$model|amoget/search/[a-z_]+\.h"
check amoget/cli        "$tool|(amoget_cli|description_file|together|ending)\.h"
# What other run-times stand on knows nothing of pipelines; words and angle brackets are checked below.
core='grid/core/[a-z_]+\.h'
machine="$core|grid/machine/[a-z_]+\.h"
check grid/core         "$core"
check grid/machine      "$machine"
check grid/pipeline     "$machine|grid/pipeline/[a-z_]+\.h|grid/pipeline\.h"
check grid/steer        'grid/core/decimal\.h|grid/(machine|steer)/[a-z_]+\.h|grid/pipeline/controller\.h'
# TAAG: the run-time has MPI; files, the scheduler and the command do not.
files="$base|amoget_program\.h|amoget/program/(kind|program)\.h|grid/taag/files/[a-z_]+\.h"
check grid/taag/files   "$files"
check grid/taag         "$files|$core|grid/taag/[a-z_]+\.h"
check grid/taag/probe   "$machine|grid/taag/probe/[a-z_]+\.h"
check grid/taag/schedule "$files|grid/taag/schedule/[a-z_]+\.h"
check grid/predict      "base/[a-z_]+\.h|grid/predict/[a-z_]+\.h"
check grid/taag/predict "$files|grid/taag/(schedule|predict)/[a-z_]+\.h|grid/predict/[a-z_]+\.h"
check grid/taag/cli     "$tool|(taag_cli|words|description_file|drawing)\.h|grid/launch/launch\.h|grid/taag/(files|schedule|predict)/[a-z_]+\.h"
if grep -n '<mpi\.h>' grid/taag/files/*.[ch] grid/taag/schedule/*.[ch] grid/taag/predict/*.[ch] grid/taag/cli/*.[ch]; then
    echo "layers: the scheduler and the command of TAAG need no MPI" >&2
    bad=1
fi
check grid/bsp/predict  "base/[a-z_]+\.h|grid/bsp/tuning\.h|grid/bsp/predict/[a-z_]+\.h|grid/predict/[a-z_]+\.h"
check grid/bsp/cli      "$tool|(description_file|drawing)\.h|(bsppredict|bspbench)\.h|grid/bsp/predict/[a-z_]+\.h"
check grid/bsp          'grid/core/(buffer|clock|clusters|decimal|guard|peers|program)\.h|grid/bsp/[a-z_]+\.h'
check grid/gum/predict  "base/[a-z_]+\.h|grid/core/decimal\.h|grid/gum/(policy|predict)/[a-z_]+\.h|grid/predict/[a-z_]+\.h"
check grid/gum/activity "base/[a-z_]+\.h|grid/core/decimal\.h|grid/predict/words\.h|grid/gum/activity/[a-z_]+\.h"
check grid/gum/cli      "$tool|(description_file|drawing|gum_predict|gum_activity)\.h|grid/gum/(activity|policy|predict)/[a-z_]+\.h"
check grid/gum/policy   'grid/gum/policy/[a-z_]+\.h'
check grid/gum          "$core|grid/machine/probe\.h|grid/gum/[a-z_]+\.h|grid/gum/(activity|policy)/[a-z_]+\.h|grid/gum/predict/profile\.h"
if grep -n '<mpi\.h>' grid/gum/policy/*.[ch] grid/gum/activity/*.[ch] grid/gum/predict/*.[ch]; then
    echo "layers: policies and models of GUM need no MPI" >&2
    bad=1
fi
check grid/launch       'grid/launch/[a-z_]+\.h'
check grid/start        "$tool|description_file\.h|grid/gum/policy/policy\.h|grid/core/guard\.h|grid/(start|launch)/[a-z_]+\.h"
check grid              'grid/core/(buffer|error|program)\.h|grid/pipeline/(controller|reader)\.h'
if grep -Hnwi -E 'stages?|items?|epochs?|mappings?|pipelines?|amoget\.h' grid/core/*.[ch]; then
    echo "layers: grid/core knows neither descriptions nor pipelines" >&2
    bad=1
fi
if grep -Hnwi -E 'stages?|items?|epochs?|mappings?|pipelines?|amoget\.h' grid/machine/*.[ch]; then
    echo "layers: grid/machine knows no pipelines" >&2
    bad=1
fi
# The Python package is built with the public headers alone; its modules import those before them here.
before=_native
for module in errors _numpy _call _memory results measures passage sensitivity steady transient experiment formula lumping chain \
    simulate fluid optimise structure walk fitting model ranking amoget __init__; do
    if grep -Hn '^from \.' "python/pepa/$module.py" | grep -vE "from \.($before) import"; then
        bad=1
    fi
    before="$before|$module"
done
for file in python/pepa/*.py; do
    module=${file##*/}
    case "|$before|" in
    *"|${module%.py}|"*) ;;
    *) echo "layers: nothing says what $file may import" >&2; bad=1 ;;
    esac
done
for room in $(find src parser ctmc solvers amoget grid -name '*.c' | sed 's|/[^/]*$||' | sort -u); do
    case " $checked " in
    *" $room "*) ;;
    *) echo "layers: nothing says what $room may include" >&2; bad=1 ;;
    esac
done
[ "$bad" -eq 0 ] || { echo "layers: the includes above break the design" >&2; exit 1; }
echo "layers: every folder includes only what it may"
