# Ratios of auto_report.awk, sorted, as SVG:  sort -n RATIOS | awk -f svg.awk -f auto_plot.awk
# A mark per model, logarithmic: a dot if the rules were tuned on it, a square if it is fresh.
# Models that auto did not solve follow as crosses at the upper edge.
BEGIN {
    FS = "\t"
    left = 70
    top = 84
    width = 620
    height = 330
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
    low = log10(n > 0 && ratio[1] < 0.7 ? 0.5 : 0.8)
    high = log10(n > 0 && ratio[n] > 8 ? 1.6 * ratio[n] : 10)
    svg_begin(left + width + 180, top + height + 66,
              "CPU time of auto over that of the best forced choice")
    print ".dot { fill: #1b5fa6 }"
    print ".fresh { fill: #2e8540 }"
    print ".equal { stroke: #777; stroke-width: 1.2; fill: none }"
    print ".quantile { stroke: #cc5a16; stroke-width: 1.2; stroke-dasharray: 5 3; fill: none }"
    print ".quantile-text { font-size: 11px; fill: #b44b0c }"
    print ".leader { stroke: #bbb; stroke-width: 0.8; fill: none }"
    print ".cross { stroke: #b00020; stroke-width: 2; fill: none }"
    print ".fresh-cross { stroke: #2e8540; stroke-width: 2; fill: none }"
    print ".cross-text { font-size: 11px; fill: #b00020 }"
    svg_paper(left)
    say(left, 54, "tick", "start", n " models, sorted by their ratio; " (missing ? \
        missing " more, which auto did not solve, as crosses" : "auto solved all of them"))
    legend()
    axes()
    if (n > 0) {
        quantile("median", (ratio[int((n + 1) / 2)] + ratio[int(n / 2) + 1]) / 2)
        quantile("95th percentile", ratio[int(0.95 * n + 0.9999)])
    }
    labels()
    dots()
    print "</svg>"
}

function at_x(k)
{
    return left + width * (k - 0.5) / (n + missing)
}

function at_y(r)
{
    return top + height - height * (log10(r) - low) / (high - low)
}

function axes(    decade, k, r, step, y)
{
    for (decade = -1; decade <= high; decade++)
        for (k = 1; k <= 5; k += k == 2 ? 3 : 1) {
            r = k * 10 ^ decade
            y = at_y(r)
            if (log10(r) < low || log10(r) > high)
                continue
            line(left, y, left + width, y, r == 1 ? "equal" : "grid")
            say(left - 8, y + 4, "tick", "end", r)
        }
    step = n + missing > 20 ? 10 : 1
    for (k = step; k <= n + missing; k += step) {
        line(at_x(k), top + height, at_x(k), top + height + 4, "frame")
        say(at_x(k), top + height + 18, "tick", "middle", k)
    }
    printf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"frame\"/>\n", left, top,
           width, height)
    say(left + width / 2, top + height + 44, "", "middle", "models by rank")
    printf("<text transform=\"translate(24 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
           top + height / 2, "ratio (1: as fast as the best)")
}

function quantile(words, r)
{
    line(left, at_y(r), left + width, at_y(r), "quantile")
    say(left + 8, at_y(r) - 5, "quantile-text", "start", words sprintf(" %.2f", r))
}

function mark(x, y, which)
{
    if (which == "fresh")
        printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"6\" height=\"6\" class=\"fresh\"/>\n", x - 3,
               y - 3)
    else
        printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" class=\"dot\"/>\n", x, y)
}

# What the marks mean, above the frame.
function legend()
{
    mark(left + 4, 70, "tuned")
    say(left + 14, 74, "tick", "start", "the rules were tuned on it")
    mark(left + 204, 70, "fresh")
    say(left + 214, 74, "tick", "start", "no rule was tuned on")
}

function dots(    k, x, class)
{
    for (k = 1; k <= n; k++)
        mark(at_x(k), at_y(ratio[k]), half[k])
    for (k = 1; k <= missing; k++) {
        x = at_x(n + k)
        class = unsolved_half[k] == "fresh" ? "fresh-cross" : "cross"
        line(x - 4, top + 8, x + 4, top + 16, class)
        line(x - 4, top + 16, x + 4, top + 8, class)
    }
}

# On the right, downwards, the names of unsolved models and of the five largest ratios.
function labels(    k, y)
{
    y = top + 2
    for (k = missing; k >= 1; k--)
        label(n + k, top + 12, y += 14, unsolved[k], "cross-text")
    for (k = n; k >= 1 && k > n - 5; k--) {
        y = at_y(ratio[k]) > y + 14 ? at_y(ratio[k]) : y + 14
        label(k, at_y(ratio[k]), y, name[k] sprintf(": %.3g", ratio[k]), "tick")
    }
}

function label(k, y_of_dot, y, words, class)
{
    line(at_x(k) + 6, y_of_dot, left + width + 6, y, "leader")
    say(left + width + 10, y + 4, class, "start", words)
}
