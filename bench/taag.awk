# A table of what bench_taag prints: for each program and size, over all kinds of latencies.
# proved: costs that are proved to be the least; largest latency: levels and largest latencies that
# are; gap: the median and the most of (mean - bound) / mean where only these are proved.
function median(list, n,   i, j, swap) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
            swap = list[j]
            list[j] = list[j - 1]
            list[j - 1] = swap
        }
    return list[int((n + 1) / 2)]
}
$7 != "error" {
    key = $2 " " $3 " " $4
    if (!(key in count))
        keys[++rows] = key
    time[key, ++count[key]] = $6
    level = $7 == $10
    most = level && $8 <= $11 * (1 + 1e-8)
    mean = most && $9 <= $12 * (1 + 1e-8)
    proved[key] += mean
    bounded[key] += most
    if (most && !mean)
        gap[key, ++gaps[key]] = 100 * ($9 - $12) / $9
}
END {
    print "| program | groups | hosts | grids | proved | largest latency | gap of the mean: median, most | CPU time: median, most |"
    print "|---|---|---|---|---|---|---|---|"
    for (r = 1; r <= rows; r++) {
        key = keys[r]
        split(key, word, " ")
        n = count[key]
        for (i = 1; i <= n; i++)
            list[i] = time[key, i]
        half = median(list, n)
        slowest = list[n]
        text = "-"
        for (i = 1; i <= gaps[key]; i++)
            list[i] = gap[key, i]
        if (gaps[key] > 0) {
            middle = median(list, gaps[key])
            text = sprintf("%.1f%%, %.1f%%", middle, list[gaps[key]])
        }
        printf "| %s | %d | %d | %d | %d | %d | %s | %.2f s, %.2f s |\n", word[1], word[2], word[3],
            n, proved[key], bounded[key], text, half, slowest
    }
}
