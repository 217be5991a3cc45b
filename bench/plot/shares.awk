# Tables for shares.gp, of what shares.sh prints: a block for each model, with processes, memory and copies
# per state, and the speedups that are simulated, then those of the formula, network by network.
#   awk -f shares.awk shares.csv
BEGIN { FS = "," }
FNR == 1 { networks = (NF - 16) / 2; next }
{
    if (!($1 in rows))
        order[++models] = $1
    line = $4 " " $6 " " $7
    for (k = 0; k < 2; k++)
        for (i = 0; i < networks; i++)
            line = line " " $(17 + 2 * i + k)
    rows[$1] = rows[$1] line "\n"
}
END {
    for (m = 1; m <= models; m++)
        printf("# %s\n%s\n\n", order[m], rows[order[m]])
}
