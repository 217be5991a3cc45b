# Tables for bsp.gp, of the lines "processes,parameter,seconds,low,high" of bspbench --csv: a block
# for each parameter, with processes and three times in microseconds.
#   awk -f bsp.awk bsp.csv
BEGIN { FS = "," }
$1 + 0 > 0 { rows[$2] = rows[$2] sprintf("%d %.6g %.6g %.6g\n", $1, 1e6 * $3, 1e6 * $4, 1e6 * $5) }
END {
    blocks = split("g g_words l", block, " ")
    for (b = 1; b <= blocks; b++)
        printf("# %s\n%s\n\n", block[b], rows[block[b]])
}
