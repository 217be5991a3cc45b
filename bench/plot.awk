# CPU seconds or memory against states, both logarithmic, a panel per family, as SVG:
#   awk -v what=time|memory -f json.awk -f svg.awk -f plot.awk peers RESULT.json...
END {
    left = 64          # of the first panel
    top = 78
    width = 186        # of a panel, without what stands around it
    height = 172
    across = 22        # from panel to panel
    down = 54
    columns = 4
    x_low = 3          # decades
    x_high = 8.4
    if (what == "time") {
        y_low = -3
        y_high = 3.6
        title = "CPU time of the whole process against states"
        split("1 ms,10 ms,0.1 s,1 s,10 s,100 s,1000 s", y_text, ",")
    } else {
        y_low = 6
        y_high = 10.4
        title = "Peak memory of the whole process against states"
        split("1 MB,10 MB,100 MB,1 GB,10 GB", y_text, ",")
    }
    split("1k,10k,100k,1M,10M,100M", x_text, ",")
    families = split("pipeline clients counted kanban polling tandem cluster", family, " ")
    split("pipeline|clients, each by itself|clients, counted|kanban, counted|polling|" \
          "tandem queues|cluster, counted", caption, "|")
    begin()
    for (f = 1; f <= families; f++)
        panel(f)
    legend(families + 1)
    print "</svg>"
}

function begin(    w, h)
{
    w = left + columns * width + (columns - 1) * across + 24
    h = top + 2 * height + down + 50
    svg_begin(w, h, title)
    print ".slope { stroke: #b5b5b5; stroke-width: 1; stroke-dasharray: 2 3; fill: none }"
    print ".pepa { stroke: #1b5fa6; stroke-width: 2; fill: none }"
    print ".prism { stroke: #cc5a16; stroke-width: 2; fill: none }"
    print ".pepa-dot { fill: #1b5fa6 }"
    print ".prism-dot { fill: #fff; stroke: #cc5a16; stroke-width: 2 }"
    print ".pepa-text { fill: #1b5fa6; font-weight: bold }"
    print ".prism-text { fill: #b44b0c; font-weight: bold }"
    svg_paper(left)
}

# Where a panel begins: its left and upper edge into x0, y0.
function place(f)
{
    x0 = left + (f - 1) % columns * (width + across)
    y0 = top + int((f - 1) / columns) * (height + down)
}

function at_x(decade)
{
    return x0 + (decade - x_low) / (x_high - x_low) * width
}

function at_y(decade)
{
    decade = decade < y_low ? y_low : decade > y_high ? y_high : decade
    return y0 + height - (decade - y_low) / (y_high - y_low) * height
}

function panel(f,    d)
{
    place(f)
    for (d = x_low; d <= x_high; d++) {
        line(at_x(d), y0, at_x(d), y0 + height, "grid")
        say(at_x(d), y0 + height + 15, "tick", "middle", x_text[d - x_low + 1])
    }
    for (d = y_low; d <= y_high; d++) {
        line(x0, at_y(d), x0 + width, at_y(d), "grid")
        if ((f - 1) % columns == 0)
            say(x0 - 6, at_y(d) + 4, "tick", "end", y_text[d - y_low + 1])
    }
    if (what == "memory")
        slopes()
    printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" class=\"frame\"/>\n", x0, y0,
           width, height)
    say(x0, y0 - 8, "name", "start", caption[f])
    theirs(family[f])
    mine(family[f])
}

# Lines of so many bytes per state, 10 and 100, within the panel.
function slopes(    b, from, to)
{
    for (b = 1; b <= 2; b++) {
        from = y_low - b < x_low ? x_low : y_low - b
        to = y_high - b > x_high ? x_high : y_high - b
        line(at_x(from), at_y(from + b), at_x(to), at_y(to + b), "slope")
    }
}

function theirs(name,    k, n, value)
{
    n = 0
    for (k = 1; k <= peers; k++) {
        value = what == "time" ? "cpu" : "MB"
        if (peer_name[k] != name || !((name, peer_size[k], value) in peer))
            continue
        n++
        px[n] = log10(peer[name, peer_size[k], "states"])
        py[n] = log10(peer[name, peer_size[k], value] * (what == "time" ? 1 : 1e6))
    }
    draw(n, "prism", "PRISM", 1)
}

function mine(name,    i, n)
{
    n = 0
    for (i = 1; i <= count; i++) {
        if (has[i, "kind"] != "family" || has[i, "name"] != name || has[i, "status"] != 0 ||
            has[i, "states"] < 10 ^ x_low)
            continue
        n++
        px[n] = log10(has[i, "states"])
        py[n] = log10((what == "time" ? has[i, "cpu_s"] : has[i, "peak_bytes"]) + 1e-9)
    }
    sort(n)
    draw(n, "pepa", "pepa", 0)
}

# px, py by px: runs of several sets follow each other.
function sort(n,    i, j, t)
{
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && px[j] < px[j - 1]; j--) {
            t = px[j]; px[j] = px[j - 1]; px[j - 1] = t
            t = py[j]; py[j] = py[j - 1]; py[j - 1] = t
        }
}

# The points px, py from 1 to n, and a label: theirs above the last, ours below the second, where
# their curve does not come.
function draw(n, class, words, last,    i, path)
{
    if (n == 0)
        return
    for (i = 1; i <= n; i++)
        path = path sprintf("%s%.1f,%.1f", i > 1 ? " " : "", at_x(px[i]), at_y(py[i]))
    if (n > 1)
        printf("<polyline points=\"%s\" class=\"%s\"/>\n", path, class)
    for (i = 1; i <= n; i++)
        printf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"%s-dot\"/>\n", at_x(px[i]),
               at_y(py[i]), class)
    if (last)
        say(at_x(px[n]) - 4, at_y(py[n]) - 9, class "-text",
            at_x(px[n]) - x0 < 60 ? "start" : "end", words)
    else
        say(at_x(px[n > 1 ? 2 : 1]) + 8, at_y(py[n > 1 ? 2 : 1]) + 13, class "-text", "start",
            words)
}

# In the place of the panel after the last one.
function legend(f)
{
    place(f)
    say(x0, y0 + 14, "pepa-text", "start", "pepa")
    say(x0, y0 + 32, "", "start", "as make bench measured it")
    say(x0, y0 + 60, "prism-text", "start", "PRISM 4.10")
    say(x0, y0 + 78, "", "start", "the best of its engines")
    say(x0, y0 + 94, "", "start", "and methods for each model")
    say(x0, y0 + 122, "", "start", "across: states")
    if (what == "memory")
        say(x0, y0 + 140, "", "start", "dashed: 10 and 100 B per state")
    else
        say(x0, y0 + 140, "", "start", "up: CPU seconds")
}
