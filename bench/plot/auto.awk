# Tables for auto.gp, of the sorted ratios of auto_report.awk: rank, ratio, text.
#   sort -n RATIOS | awk -f auto.awk
# Blocks: models with their "tuned" or "fresh" half, those that auto did not solve last, without a
# ratio; "names" of the latter and of the largest ratios; "quantiles" of the ratios.
BEGIN {
    FS = "\t"
    most_named = 5
}
$1 == "none" {
    unsolved[++missing] = $2
    unsolved_half[missing] = $3
    next
}
{
    ratio[++n] = $1
    name[n] = $2
    half[n] = $3
}
END {
    print "# models"
    for (k = 1; k <= n; k++)
        row(k, ratio[k], half[k])
    for (k = 1; k <= missing; k++)
        row(n + k, "NaN", unsolved_half[k])
    print "\n\n# names"
    for (k = n > most_named ? n - most_named + 1 : 1; k <= n; k++)
        row(k, ratio[k], name[k] sprintf(": %.3g", ratio[k]))
    for (k = 1; k <= missing; k++)
        row(n + k, "NaN", unsolved[k] ": not solved")
    print "\n\n# quantiles"
    if (n == 0)
        exit
    median = (ratio[int((n + 1) / 2)] + ratio[int(n / 2) + 1]) / 2
    row(n, median, sprintf("median %.2f", median))
    high = ratio[int(0.95 * n + 0.9999)]
    row(n, high, sprintf("95th percentile %.2f", high))
}

function row(k, value, words)
{
    print k, value, "\"" words "\""
}
