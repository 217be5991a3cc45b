# What the runs of auto.sh say:
#   awk -v what=report|summary|ratios -f json.awk -f auto_report.awk RUNS...
#   report   Markdown: a table of models, how the ratios are distributed, answers that differ
#   summary  Markdown: the distribution as a table, the models on which auto is slow
#   ratios   a line per model, for plot/auto.awk: its ratio, a tab, NAME SIZE..., a tab, its half;
#            "none" in place of the ratio if auto did not solve it and a forced choice did
# RUNS are one file or more, or several in one, of the same program; no model is in two of them.
# The half is "tuned" or "fresh" (see auto.sh); a run that does not say is of the first.
# The ratio is the CPU time of auto over that of the best forced choice.  Answers are compared with
# a reference: gth if it answered, which makes no error but rounding; else auto; else the first run
# that answered.  A run counts if each throughput agrees with the reference to 1e-4 of itself, and if
# it came without a caution, or auto with one.
BEGIN {
    slow = 2
}
/"set": / {
    origin = sprintf("%s, %s; %s.", head[current, "program"], head[current, "date"],
                     head[current, "cpu"])
    if (!(origin in said))
        origins = origins origin "\n"
    said[origin] = 1
}
END {
    for (i = 1; i <= count; i++) {
        if (has[i, "run"] == "auto") {
            model[++models] = has[i, "name"] " " has[i, "size"]
            from[models] = i
            half[models] = has[i, "half"] == "fresh" ? "fresh" : "tuned"
            if (model[models] in known_model) {
                print "auto_report.awk: more than one measurement of " model[models] >"/dev/stderr"
                exit 1
            }
            known_model[model[models]] = 1
        }
        to[models] = i
    }
    for (m = 1; m <= models; m++)
        judge(m)
    if (what == "report")
        report()
    else if (what == "summary")
        summary()
    else
        for (m = 1; m <= models; m++)
            if (best[m])
                printf("%s\t%s\t%s\n", (m in ratio) ? sprintf("%.4f", ratio[m]) : "none", model[m],
                       half[m])
}

# Finds best[m], the fastest forced run that counts (0: none), and ratio[m] if auto counts as well.
function judge(m,    i, reference)
{
    for (i = from[m]; i <= to[m]; i++)
        standing += has[i, "stands"]
    for (i = from[m]; i <= to[m]; i++)
        if (has[i, "status"] == 0 && (!reference || has[i, "method"] == "gth"))
            reference = i
    best[m] = 0
    for (i = from[m]; i <= to[m]; i++) {
        if (has[i, "status"] != 0)
            continue
        counts[i] = agrees(i, reference)
        if (!counts[i])
            differing[++differ] = sprintf("%s, %s (%s): %s; %s has %s (residual %s%s)", model[m],
                has[i, "run"], has[i, "method"], worst, has[reference, "run"], theirs,
                has[i, "residual"], doubted(i) == "" ? ", no caution" : doubted(i))
        else if (has[i, "run"] != "auto" && as_sure(i, from[m]) &&
                 (!best[m] || seconds(i) < seconds(best[m])))
            best[m] = i
    }
    if (best[m] && counts[from[m]])
        ratio[m] = seconds(from[m]) / seconds(best[m])
}

# Is the answer of run i not cautioned of, or that of j as well?
function as_sure(i, j)
{
    return doubted(i) == "" || has[j, "status"] != 0 || doubted(j) != ""
}

# As a number: texts are compared letter by letter.
function seconds(i)
{
    return has[i, "cpu_s"] + 0
}

# Do the throughputs of runs i and j agree?  If not, the one that differs most is in worst, theirs.
function agrees(i, j,    n, k, pair, part, of_j, a, b, error, largest)
{
    n = split(has[j, "throughput"], pair, " ")
    for (k = 1; k <= n; k++) {
        split(pair[k], part, "=")
        of_j[part[1]] = part[2]
    }
    n = split(has[i, "throughput"], pair, " ")
    largest = 1e-4
    for (k = 1; k <= n; k++) {
        split(pair[k], part, "=")
        a = part[2] + 0
        b = of_j[part[1]] + 0
        error = a == b ? 0 : (a > b ? a - b : b - a) / (a > b ? a : b)
        if (error > largest) {
            largest = error
            worst = "throughput of " part[1] " " part[2]
            theirs = of_j[part[1]]
        }
    }
    return largest == 1e-4
}

function report(    m, i, b)
{
    print origins
    if (standing)
        printf("%d of %d runs stand from another program on the same machine, where they failed or " \
            "took more than twice the best time.\n\n", standing, count)
    print "| model | half | states | transitions | auto s | best s | ratio | best forced choice " \
        "| auto MiB | best MiB | auto: exploration | matrix | method | before it |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (m = 1; m <= models; m++) {
        i = from[m]
        b = best[m]
        printf("| %s | %s | %s | %s | %s%s ", model[m], half[m], size_of(i, b, "states"),
               size_of(i, b, "transitions"), three(has[i, "cpu_s"]),
               has[i, "status"] == 0 && !counts[i] ? ", differs" : "")
        printf("| %s | %s | %s | %.0f | %s ", b ? three(has[b, "cpu_s"]) : "not solved",
               (m in ratio) ? three(ratio[m]) : "", b ? has[b, "run"] doubted(b) : "", mib(i),
               b ? sprintf("%.0f", mib(b)) : "")
        printf("| %s | %s | %s | %s |\n", has[i, "explore"], has[i, "matrix"],
               has[i, "status"] == 0 ? has[i, "method"] doubted(i) : failure(i),
               cell(has[i, "trail"]))
    }
    distribution("tuned", "Models that the rules were tuned on")
    distribution("fresh", "Models that no rule was tuned on")
    distribution("", "All models")
    print differ ? "\nThroughputs that differ from the reference by more than 1e-4, the worst of " \
        "each run:\n" : "\nAll throughputs agree to 1e-4."
    for (i = 1; i <= differ; i++)
        print "- " differing[i]
}

# From run i, or b if i gave no answer.
function size_of(i, b, key)
{
    i = has[i, "status"] == 0 ? i : b
    return i ? thousands(has[i, key]) : ""
}

function doubted(i)
{
    return has[i, "caution"] == "" ? "" : ", with a caution"
}

function mib(i)
{
    return has[i, "peak_bytes"] / 1048576
}

# A run that its limit ended has the status 128 + SIGXCPU or SIGALRM.
function failure(i)
{
    return "not solved: " (has[i, "status"] == 152 || has[i, "status"] == 142 ? \
        "more than " has[i, "limit_s"] " s" : "status " has[i, "status"] " " cell(has[i, "why"]))
}

# As a cell of a table: names of states can have a bar.
function cell(text)
{
    gsub(/\|/, "\\|", text)
    return text
}

# Counts the models of one half, or of both if it is empty: many; solved by auto; unsolved, by a
# forced choice only; never, by none.  Of the ratios: rated models, median, high (95th percentile),
# largest; empty if there is none.
function tally(which,    m, k, keep, sorted)
{
    many = solved = unsolved = never = rated = 0
    median = high = largest = ""
    for (m = 1; m <= models; m++) {
        if (which != "" && half[m] != which)
            continue
        many++
        solved += counts[from[m]]
        never += !best[m] && !counts[from[m]]
        unsolved += best[m] && !(m in ratio)
        if (!(m in ratio))
            continue
        sorted[++rated] = ratio[m]
        for (k = rated; k > 1 && sorted[k] < sorted[k - 1]; k--) {
            keep = sorted[k]; sorted[k] = sorted[k - 1]; sorted[k - 1] = keep
        }
    }
    if (rated == 0)
        return
    median = (sorted[int((rated + 1) / 2)] + sorted[int(rated / 2) + 1]) / 2
    high = sorted[int(0.95 * rated + 0.9999)]
    largest = sorted[rated]
}

function distribution(which, words)
{
    tally(which)
    printf("\n%s: %d. Solved by a forced choice but not by auto: %d. By none: %d.\n", words, many,
           unsolved, never)
    if (rated > 0)
        printf("Ratio, of %d of them: median %s, 95th percentile %s, largest %s.\n", rated,
               three(median), three(high), three(largest))
}

function summary()
{
    print "| models | number | solved by auto | solved by a forced choice only | median ratio " \
        "| 95th percentile | largest |"
    print "|---|---|---|---|---|---|---|"
    summary_row("fresh", "no rule was tuned on")
    summary_row("tuned", "the rules were tuned on")
    summary_row("", "all")
    print ""
    slow_models()
}

function summary_row(which, words)
{
    tally(which)
    printf("| %s | %d | %d | %d | %s | %s | %s |\n", words, many, solved, unsolved, three(median),
           three(high), three(largest))
}

# Those that auto did not solve and a forced choice did, then those above the bound, largest first.
function slow_models(    m, k, n, keep, order)
{
    for (m = 1; m <= models; m++) {
        if (!best[m] || ((m in ratio) && ratio[m] <= slow))
            continue
        order[++n] = m
        for (k = n; k > 1 && excess(order[k]) > excess(order[k - 1]); k--) {
            keep = order[k]; order[k] = order[k - 1]; order[k - 1] = keep
        }
    }
    if (n == 0) {
        printf("No ratio is above %d, and auto solved each model that a forced choice solved.\n",
               slow)
        return
    }
    printf("The models with a ratio above %d, or that only a forced choice solved:\n\n", slow)
    print "| model | ratio | auto s | best s | best forced choice | what auto did |"
    print "|---|---|---|---|---|---|"
    for (k = 1; k <= n; k++) {
        m = order[k]
        printf("| %s | %s | %s | %s | %s | %s |\n", model[m], (m in ratio) ? three(ratio[m]) : "",
               three(has[from[m], "cpu_s"]), three(has[best[m], "cpu_s"]),
               has[best[m], "run"] doubted(best[m]), deeds(from[m]))
    }
}

function excess(m)
{
    return (m in ratio) ? ratio[m] : 1e300
}

# Exploration, form of the matrix, and methods in the order in which run i tried them.
function deeds(i)
{
    if (has[i, "status"] != 0)
        return failure(i)
    return has[i, "explore"] ", " has[i, "matrix"] " matrix: " \
        (has[i, "trail"] == "" ? "" : cell(has[i, "trail"]) "; ") has[i, "method"] doubted(i) \
        (counts[i] ? "" : "; another answer")
}
