# Tables for gum.gp, of the lines "program,grid,processes,policy,seconds,..." of gum.sh and of the papers: a block for each
# program and for each of two sources, with a row for each grid: its name, and the seconds of each policy over those of
# blind requests, GUM1 or `random`, on the first grid.
#   awk -f gum.awk gum.csv
BEGIN { FS = "," }
FNR > 1 {
    time[$1, $2, $4] = $5
    if (!(($1, $2) in seen))
        grid[$1, ++grids[$1]] = $2
    seen[$1, $2] = 1
}
function block(name, program, policies,    count, policy, g, k, blind, row) {
    count = split(policies, policy, " ")
    blind = time[program, grid[program, 1], policy[1]]
    printf("# %s\n", name)
    for (g = 1; g <= grids[program]; g++) {
        row = g " " grid[program, g]
        for (k = 1; k <= count; k++)
            row = row (blind && (program, grid[program, g], policy[k]) in time \
                ? sprintf(" %.4g", time[program, grid[program, g], policy[k]] / blind) : " NaN")
        print row
    }
    if (!grids[program])
        print "NaN NaN NaN NaN NaN NaN"
    printf("\n\n")
}
END {
    programs = split("raytracer parfib", program, " ")
    for (p = 1; p <= programs; p++) {
        block("paper_" program[p], program[p], "gum1 gum2")
        block(program[p], program[p], "random nearest-loaded busiest predicted")
    }
}
