# Tables for adaptation.gp, of the lines "what,seconds,value" of adapt.sh: seconds, value.
#   awk -f adaptation.awk adaptation.csv
# Blocks: "slow", when a machine slows down; "best", the best throughput from then on; "moves" that
# are complete; throughput in the middle of each period, where stages stay ("fixed") or are "moving".
BEGIN {
    FS = ","
    until = 45
}
FNR == 1 { next }
$1 == "slow" { add("slow", $2, 0) }
$1 == "best" { add("best", $2, best = $3) }
$1 == "move" { add("moves", $2, 0) }
$1 == "moving" || $1 == "fixed" {
    add($1, ($2 + last[$1]) / 2, $3)
    last[$1] = $2
}
END {
    add("best", until, best)
    blocks = split("slow best moves fixed moving", block, " ")
    for (b = 1; b <= blocks; b++)
        printf("# %s\n%s\n\n", block[b], rows[block[b]] == "" ? "NaN NaN\n" : rows[block[b]])
}

function add(what, seconds, value)
{
    if (seconds <= until)
        rows[what] = rows[what] sprintf("%.6g %.6g\n", seconds, value)
}
