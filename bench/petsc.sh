#!/bin/sh
# PETSc on assembled matrices (bench/petsc.c) beside `pepa solve` on sets, on as many processes:
#   petsc.sh [PROCESSES]
# The best of three runs of each, in turn.  A table in Markdown; all ratios are PETSc's over ours.
#   MODELS  family:size:order of PETSc's unknowns, that in which it is faster, or one for each of SOLVERS
#           by "," (explicit: breadth first; symbolic: that of the sets)
#   SOLVERS PETSc's options, by ";"
#   RESUME  1: runs that build/petsc.jsonl has are not repeated
set -eu
cd "$(dirname "$0")/.."
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# On a machine that is shared, whoever waits makes way: for both.
OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
export OMPI_MCA_mpi_yield_when_idle
[ "${RESUME:-}" ] || rm -f "${BUILD:-build}/petsc.jsonl"
# shellcheck disable=SC2086
exec python3 bench/petsc.py "${BUILD:-build}" "${1:-2}" "${TURNS:-3}" "${LIMIT:-600}" \
    "${SOLVERS:--pc_type asm;-pc_type bjacobi}" \
    ${MODELS:-pipeline:13:explicit kanban:5:explicit tandem:711:explicit,symbolic cluster:128:symbolic \
        polling:16:symbolic farm:40:explicit clients:10:explicit counted:200:explicit}
