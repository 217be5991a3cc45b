# Seven stages, sixty processors, links of about equal latency, none alike: a proof takes long.
function random(low, high)
{
    seed = (seed * 16807) % 2147483647
    return low + (high - low) * seed / 2147483647
}
BEGIN {
    seed = 5
    print "pipeline {"
    for (i = 1; i <= 7; i++)
        printf "stage %d work %.2f;", i, random(1, 4)
    print "}\nprocessors {"
    for (i = 1; i <= 60; i++)
        printf "%d time %.4f;\n", i, random(0.02, 0.06)
    print "}\nnetwork { latency default 0.1; latency local 1ms;"
    for (i = 1; i <= 60; i++)
        for (j = 1; j < i; j++)
            printf "latency %d %d %.4f;\n", i, j, random(0.08, 0.12)
    print "}"
}
