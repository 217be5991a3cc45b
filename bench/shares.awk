# Tables for doc/scaling.md of what shares.sh prints:  awk -f shares.awk networks.csv shares.csv
# First exact counts; then speedups on each network, simulated / by the formula, which takes a sweep
# as the sum of its longest paths.
BEGIN { FS = "," }
FNR == NR {
    name[++networks] = $1; latency[networks] = $3
    next
}
FNR == 1 {
    print "| model | processes | work of the largest | memory | copies per state | messages | of one process | kB of one process | longest path: work | kB | messages | hops |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|"
    next
}
$4 > 1 {
    printf("| %s | %d | %.2f | %.2f | %.2f | %d | %d | %d | %.2f | %d | %d | %d |\n",
           $1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
}
$4 >= 64 {
    line = sprintf("| %s | %d |", $1, $4)
    for (i = 1; i <= networks; i++)
        line = line sprintf(" %.1f / %.1f |", $(15 + 2 * i), $(16 + 2 * i))
    speeds[++rows] = line
}
END {
    printf("\n| model | processes |")
    for (i = 1; i <= networks; i++)
        printf(" %s, %.3g us |", name[i], latency[i] * 1e6)
    printf("\n|---|---|")
    for (i = 1; i <= networks; i++)
        printf("---|")
    print ""
    for (r = 1; r <= rows; r++)
        print speeds[r]
}
