# Tables for performance.gp: states, then CPU seconds or peak memory in MB, rising.
#   awk -v what=time|memory -f json.awk -f performance.awk peers RESULT.json...
# A block "FAMILY pepa" of what was measured, and "FAMILY PRISM" of peers, for each family.
END {
    families = split("pipeline clients counted kanban polling tandem cluster", family, " ")
    for (f = 1; f <= families; f++) {
        n = 0
        for (i = 1; i <= count; i++)
            if (has[i, "kind"] == "family" && has[i, "name"] == family[f] &&
                has[i, "status"] == 0 && has[i, "states"] >= 1000)
                point(has[i, "states"],
                      what == "time" ? has[i, "cpu_s"] : has[i, "peak_bytes"] / 1e6)
        block(family[f] " pepa")
        n = 0
        value = what == "time" ? "cpu" : "MB"
        for (k = 1; k <= peers; k++)
            if (peer_name[k] == family[f] && (family[f], peer_size[k], value) in peer)
                point(peer[family[f], peer_size[k], "states"],
                      peer[family[f], peer_size[k], value])
        block(family[f] " PRISM")
    }
}

# Another point, where it belongs by states: runs of several sets follow each other.
function point(states, y,    i)
{
    for (i = ++n; i > 1 && x_of[i - 1] > states + 0; i--) {
        x_of[i] = x_of[i - 1]
        y_of[i] = y_of[i - 1]
    }
    x_of[i] = states + 0
    y_of[i] = y + 0
}

function block(name,    i)
{
    print "# " name
    if (n == 0)
        print "NaN NaN"     # gnuplot counts no empty block
    for (i = 1; i <= n; i++)
        printf("%.0f %.6g\n", x_of[i], y_of[i])
    print "\n"
}
