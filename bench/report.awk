# Markdown from measurements:
#   awk -v what=report|peers|explore|analyses|threads -f json.awk -f report.awk peers RESULT.json...
#   report   all that was measured
#   peers    PRISM's figures with ours beside them
#   explore  finding the states, one by one and as sets
#   analyses what is asked beside the long run
#   threads  two threads against one
END {
    if (what == "peers")
        against_peers()
    else if (what == "explore")
        explore_tables("short")
    else if (what == "analyses")
        analyses_tables("short")
    else if (what == "threads")
        threads_table("short")
    else
        for (k = 1; k <= sets; k++)
            report(set_name[k])
}

function report(set)
{
    printf("Machine: %s, %d cores, %.0f GiB; %s; %s; `%s`. Memory: %s GB/s (triad, one core). ",
           head[set, "cpu"], head[set, "cores"], head[set, "memory_bytes"] / 2 ^ 30,
           head[set, "system"], head[set, "compiler"], head[set, "flags"],
           head[set, "triad_gb_per_s"])
    printf("%s, %s.\n", head[set, "program"], head[set, "date"])
    small(set)
    families(set)
    if (any(set, "explore")) {
        print "\n## Finding the states: `pepa check`, the whole process\n"
        explore_tables(set)
    }
    if (any(set, "analysis")) {
        print "\n## Other analyses\n"
        analyses_tables(set)
    }
    if (any(set, "threads")) {
        print "\n## Two threads against one\n"
        threads_table(set)
    }
    floor_table(set)
    mappings(set)
}

function any(set, kind,    i)
{
    for (i = 1; i <= count; i++)
        if (has[i, "set"] == set && has[i, "kind"] == kind)
            return 1
    return 0
}

function small(set,    i)
{
    if (!any(set, "small"))
        return
    print "\n## Small models: the whole process, best of 50 runs\n"
    print "| model | ms | CPU ms | peak MiB | bound ms |"
    print "|---|---|---|---|---|"
    for (i = 1; i <= count; i++)
        if (has[i, "set"] == set && has[i, "kind"] == "small")
            printf("| %s | %.1f | %.1f | %.1f | %s |\n",
                   has[i, "name"] == "eight" ? "eight lines" : title(i), 1000 * has[i, "wall_s"],
                   1000 * has[i, "cpu_s"], mib(i), 1000 * has[i, "bound"])
}

function title(i)
{
    return has[i, "name"] " " has[i, "size"]
}

function mib(i)
{
    return has[i, "peak_bytes"] / 1048576
}

# a / b, or nothing where it says nothing.
function per(a, b)
{
    return b > 0 ? a / b : ""
}

function or_dash(i, key)
{
    return (i SUBSEP key) in has ? three(has[i, key]) : "-"
}

# GB/s of a sweep that reads a matrix of 12 bytes per transition and 8 per state, and reads and
# writes a vector of 8 bytes per state; of methods that do just that, without making the matrix.
function bandwidth(i)
{
    if (has[i, "method"] !~ /^(gauss-seidel( with .*)?|sor|jacobi|power)$/ || has[i, "trail"] != "")
        return ""
    return per(1e-9 * has[i, "iterations"] * (12 * has[i, "transitions"] + 24 * has[i, "states"]),
               has[i, "solve_s"] - has[i, "matrix_s"])
}

function families(set,    i, ratio, sum, many, least)
{
    if (!any(set, "family"))
        return
    print "\n## Families: the whole process, tolerance 1e-10\n"
    print "| model | states | transitions | derive s | matrix s | solve s | matrix | method | sweeps " \
        "| Mstates/s | Mtransitions/s | B/state | B/transition | GB/s | peak MiB | CPU s " \
        "| PRISM s | PRISM/ours |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++) {
        if (has[i, "set"] != set || has[i, "kind"] != "family")
            continue
        if (has[i, "status"] != 0) {
            printf("| %s | | | | | | | not solved: status %d | | | | | | | %.0f | %s | %s | |\n",
                   title(i), has[i, "status"], mib(i), three(has[i, "cpu_s"]), peer_cpu(i))
            continue
        }
        ratio = gain(i)
        if (ratio != "") {
            sum += log(ratio)
            many++
            least = least == "" || ratio < least ? ratio : least
        }
        printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s ", title(i),
               thousands(has[i, "states"]), thousands(has[i, "transitions"]),
               or_dash(i, "derive_s"), or_dash(i, "matrix_s"), or_dash(i, "solve_s"),
               (i, "matrix") in has ? has[i, "matrix"] : "-", has[i, "method"],
               thousands(has[i, "iterations"]))
        printf("| %s | %s | %.0f | %.0f | %s | %.0f | %s | %s | %s |\n",
               three(per(1e-6 * has[i, "states"], has[i, "derive_s"])),
               three(per(1e-6 * has[i, "transitions"], has[i, "derive_s"])),
               has[i, "peak_bytes"] / has[i, "states"],
               has[i, "peak_bytes"] / has[i, "transitions"], three(bandwidth(i)), mib(i),
               three(has[i, "cpu_s"]), peer_cpu(i), three(ratio))
    }
    if (many > 0)
        printf("\nPRISM/ours: geometric mean of %d models %s, least %s, if this is the machine of " \
               "bench/peers.\n", many, three(exp(sum / many)), three(least))
}

function peer_cpu(i,    key)
{
    key = has[i, "name"] SUBSEP has[i, "size"] SUBSEP "cpu"
    return key in peer ? peer[key] : ""
}

function explore_tables(set,    i, p)
{
    print "| one by one | states | transitions | derive s | CPU s | Mstates/CPU s " \
        "| Mtransitions/CPU s | bound | B/state | B/transition | peak MiB " \
        "| PRISM's builder CPU s | builder/ours |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++) {
        if (has[i, "set"] != set || has[i, "kind"] != "explore")
            continue
        p = known(has[i, "name"], has[i, "size"], "builder")
        printf("| %s | %s | %s | %s | %s | %s | %s | %s ", title(i), thousands(has[i, "states"]),
               thousands(has[i, "transitions"]), three(has[i, "derive_s"]), three(has[i, "cpu_s"]),
               three(1e-6 * has[i, "states"] / has[i, "cpu_s"]),
               three(1e-6 * has[i, "transitions"] / has[i, "cpu_s"]),
               has[i, "bound"] == "-" ? "" : three(1e-6 * has[i, "bound"]))
        printf("| %.0f | %.0f | %.0f | %s | %s |\n", has[i, "peak_bytes"] / has[i, "states"],
               has[i, "peak_bytes"] / has[i, "transitions"], mib(i), p,
               p == "" ? "" : three(p / has[i, "cpu_s"]))
    }
    print "\n| as sets | states | transitions | derive s | CPU s | bound s | B/state | peak MiB |"
    print "|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++)
        if (has[i, "set"] == set && has[i, "kind"] == "reach")
            printf("| %s | %s | %s | %s | %s | %s | %s | %.0f |\n", title(i),
                   thousands(has[i, "states"]), thousands(has[i, "transitions"]),
                   three(has[i, "derive_s"]), three(has[i, "cpu_s"]),
                   has[i, "bound"] == "-" ? "" : has[i, "bound"],
                   three(has[i, "peak_bytes"] / has[i, "states"]), mib(i))
}

function analyses_tables(set,    i)
{
    print "| model | states | `pepa` | CPU s | bound | peak MiB |"
    print "|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++)
        if (has[i, "set"] == set && has[i, "kind"] == "analysis")
            printf("| %s | %s | `%s` | %s | %s | %.0f |\n", title(i), thousands(has[i, "states"]),
                   has[i, "options"], three(has[i, "cpu_s"]), has[i, "bound"], mib(i))
    print "\n| model | states | time | products | CPU s of one | CPU s of all | solution/products " \
        "| bound |"
    print "|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++)
        if (has[i, "set"] == set && has[i, "kind"] == "products")
            printf("| %s | %s | %s | %s | %s | %s | %.2f | %s |\n", title(i),
                   thousands(has[i, "states"]), has[i, "time"], thousands(has[i, "steps"]),
                   three(has[i, "product_s"]), three(has[i, "solution_s"]), has[i, "ratio"],
                   has[i, "bound"])
}

function threads_table(set,    i)
{
    print "| model | what | states | transitions | s, one thread | s, two | ratio | bound " \
        "| two threads that spin |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++)
        if (has[i, "set"] == set && has[i, "kind"] == "threads")
            printf("| %s | %s | %s | %s | %s | %s | %.2f | %s | %.2f |\n", title(i),
                   substr(has[i, "options"], 1, index(has[i, "options"] " ", " ") - 1),
                   thousands(has[i, "states"]), thousands(has[i, "transitions"]),
                   three(has[i, "one_s"]), three(has[i, "two_s"]), has[i, "ratio"],
                   has[i, "tested"] == "yes" ? has[i, "bound"] : "not tested", has[i, "spinning"])
}

function floor_table(set,    i)
{
    if (!any(set, "floor"))
        return
    print "\n## Against a program for this model alone (bench/floor.c)\n"
    print "| model | states | its sweeps | its CPU s | its MiB | our sweeps | our CPU s " \
        "| our MiB | ours/its CPU | bound |"
    print "|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++)
        if (has[i, "set"] == set && has[i, "kind"] == "floor")
            printf("| %s | %s | %d | %s | %.0f | %s | %s | %.0f | %s | %s |\n", title(i),
                   thousands(has[i, "states"]), has[i, "sweeps"], three(has[i, "cpu_s"]), mib(i),
                   has[i, "ours_iterations"], three(has[i, "ours_cpu_s"]),
                   has[i, "ours_peak_bytes"] / 1048576,
                   three(has[i, "ours_cpu_s"] / has[i, "cpu_s"]), has[i, "bound"])
}

function mappings(set,    i)
{
    if (!any(set, "mapping"))
        return
    print "\n## Mappings: libamoget, 2 threads\n"
    print "| what | family | mappings | chains solved | answer | seconds | bound |"
    print "|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++)
        if (has[i, "set"] == set && has[i, "kind"] == "mapping")
            printf("| %s | %s | %s | %s | %s | %s | %s |\n", has[i, "what"], has[i, "family"],
                   has[i, "mappings"], has[i, "chains"], has[i, "answer"], has[i, "seconds"],
                   has[i, "bound"])
}

# The measurement of a model of the table of peers; 0 if there is none.
function ours(name, size,    i)
{
    for (i = count; i > 0; i--)
        if (has[i, "kind"] == "family" && has[i, "name"] == name && has[i, "size"] == size)
            return i
    return 0
}

function against_peers(    k, i, n, s, ratio, sum, many, least)
{
    print "| model | states | transitions | builder CPU s | PRISM CPU s | PRISM sweeps " \
        "| PRISM MB | pepa CPU s | pepa sweeps | method | pepa MB | PRISM/pepa |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= peers; k++) {
        n = peer_name[k]
        s = peer_size[k]
        i = ours(n, s)
        printf("| %s %s | %s | %s | %s | %s | %s | %s ", n, s, thousands(peer[n, s, "states"]),
               count_of(k, i, "transitions"), known(n, s, "builder"), known(n, s, "cpu"),
               (n, s, "sweeps") in peer ? thousands(peer[n, s, "sweeps"]) : "", known(n, s, "MB"))
        if (i == 0 || has[i, "status"] != 0) {
            print "| | | | | |"
            continue
        }
        ratio = gain(i)
        if (ratio != "") {
            sum += log(ratio)
            many++
            least = least == "" || ratio < least ? ratio : least
        }
        printf("| %s | %s | %s | %s | %s |\n", three(has[i, "cpu_s"]),
               thousands(has[i, "iterations"]), has[i, "method"],
               three(1e-6 * has[i, "peak_bytes"]), three(ratio))
    }
    if (many > 0)
        printf("\nGeometric mean of %d models: %s; least: %s.\n", many, three(exp(sum / many)),
               three(least))
}

function known(name, size, key)
{
    return (name, size, key) in peer ? peer[name, size, key] : ""
}

function count_of(k, i, key,    p)
{
    p = peer_name[k] SUBSEP peer_size[k] SUBSEP key
    return p in peer ? thousands(peer[p]) : i > 0 && ((i, key) in has) ? thousands(has[i, key]) : ""
}
