# Tables for collectives.gp, of the lines "selector,order,collective,bytes,ours,mpi,bound" of collectives.sh with
# mixed ranks: a block for each collective, with bytes and times over the lower bound: of ours, and of MPI's own
# by the algorithms of each library; NaN where there is no such line.
#   awk -f collectives.awk collectives.csv
BEGIN { FS = ","; libraries = split("default ompi mpich mvapich2", library, " ") }
$2 == "mixed" {
    if (!(($3, $4) in ours))
        sizes[$3] = sizes[$3] " " $4
    ours[$3, $4] = $5 / $7
    mpi[$3, $4, $1] = $6 / $7
}
END {
    blocks = split("broadcast reduce allreduce gather alltoall", block, " ")
    for (b = 1; b <= blocks; b++) {
        print "# " block[b]
        rows = split(sizes[block[b]], bytes, " ")
        for (i = 1; i <= rows; i++) {
            printf("%d %.6g", bytes[i], ours[block[b], bytes[i]])
            for (k = 1; k <= libraries; k++)
                printf(" %s", (block[b], bytes[i], library[k]) in mpi \
                       ? sprintf("%.6g", mpi[block[b], bytes[i], library[k]]) : "NaN")
            print ""
        }
        print rows ? "\n" : "NaN NaN NaN NaN NaN NaN\n\n"
    }
}
