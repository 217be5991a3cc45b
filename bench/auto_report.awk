# What the runs of auto.sh say:  awk -v what=report|ratios -f json.awk -f auto_report.awk RUNS
#   report  Markdown: a table of models, how the ratios are distributed, answers that differ
#   ratios  a line per model, for auto_plot.awk: its ratio, a tab, NAME SIZE..., a tab, its half;
#           "none" in place of the ratio if auto did not solve it and a forced choice did
# The half is "tuned" or "fresh" (see auto.sh); a run that does not say is of the first.
# The ratio is the CPU time of auto over that of the best forced choice.  Answers are compared with
# a reference: gth if it answered, which makes no error but rounding; else auto; else the first run
# that answered.  A run counts if each throughput agrees with the reference to 1e-4 of itself.
END {
    for (i = 1; i <= count; i++) {
        title = has[i, "name"] " " has[i, "size"]
        if (title != model[models]) {
            model[++models] = title
            from[models] = i
            half[models] = has[i, "half"] == "fresh" ? "fresh" : "tuned"
        }
        to[models] = i
    }
    for (m = 1; m <= models; m++)
        judge(m)
    if (what == "report")
        report()
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
        else if (has[i, "run"] != "auto" && (!best[m] || seconds(i) < seconds(best[m])))
            best[m] = i
    }
    if (best[m] && counts[from[m]])
        ratio[m] = seconds(from[m]) / seconds(best[m])
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
    printf("%s, %s; %s.\n\n", head["auto", "program"], head["auto", "date"], head["auto", "cpu"])
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
               has[i, "status"] == 0 ? has[i, "method"] doubted(i) : failure(i), has[i, "trail"])
    }
    distribution("tuned", "Models that the rules were tuned on")
    distribution("fresh", "Models written after the rules were fixed")
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
        "more than " has[i, "limit_s"] " s" : "status " has[i, "status"] " " has[i, "why"])
}

# Of one half, or of both if it is empty.
function distribution(which, words,    m, n, k, keep, sorted, unsolved, never, many)
{
    for (m = 1; m <= models; m++) {
        if (which != "" && half[m] != which)
            continue
        many++
        never += !best[m] && !counts[from[m]]
        unsolved += best[m] && !(m in ratio)
        if (!(m in ratio))
            continue
        sorted[++n] = ratio[m]
        for (k = n; k > 1 && sorted[k] < sorted[k - 1]; k--) {
            keep = sorted[k]; sorted[k] = sorted[k - 1]; sorted[k - 1] = keep
        }
    }
    printf("\n%s: %d. Solved by a forced choice but not by auto: %d. By none: %d.\n", words, many,
           unsolved, never)
    if (n > 0)
        printf("Ratio, of %d of them: median %s, 95th percentile %s, largest %s.\n", n,
               three((sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2),
               three(sorted[int(0.95 * n + 0.9999)]), three(sorted[n]))
}
