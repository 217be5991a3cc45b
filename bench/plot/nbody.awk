# Tables for nbody.gp, of the lines "source,particles,steps,mpi1,mpi2,taag" of nbody.sh with ten steps: a block for
# each source, with particles and the times of MPI1 and MPI2 over that of taag.
#   awk -f nbody.awk nbody.csv
BEGIN { FS = "," }
FNR > 1 && $3 == 10 { rows[$1] = rows[$1] sprintf("%d %.6g %.6g\n", $2, $4 / $6, $5 / $6) }
END {
    blocks = split("paper early late equal", block, " ")
    for (b = 1; b <= blocks; b++)
        printf("# %s\n%s\n\n", block[b], rows[block[b]] == "" ? "NaN NaN NaN\n" : rows[block[b]])
}
