#!/bin/sh
# Two lists of the 41 hosts of tests/grid/smpi/grid.xml in the directory $1: `ordered`, as they are, and
# `mixed`: every 17th, so that neighbours in rank are rarely near to each other.
set -eu
(seq -f edin1-%.0f 0 22; for c in edin2 sbc muni; do seq -f $c-%.0f 0 5; done) >"$1/ordered"
awk '{ host[NR - 1] = $1 } END { for (i = 0; i < NR; i++) print host[i * 17 % NR] }' "$1/ordered" >"$1/mixed"
