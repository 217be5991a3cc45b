# A random description: awk -v seed=N -v sharing=static|serial -f random.awk
function random(low, high)
{
    state = (state * 16807) % 2147483647
    return low + (high - low) * state / 2147483647
}
BEGIN {
    state = 1000 + 7919 * seed
    for (i = 0; i < 10; i++)
        random(0, 1)
    stages = 3 + int(random(0, 2.999))
    processors = 2 + int(random(0, 2.999))
    print "# made by bench/random.awk, seed " seed
    print "sharing " sharing ";"
    print "pipeline {"
    for (i = 1; i <= stages; i++)
        printf "  stage %d work %.2f;\n", i, random(0.5, 3)
    print "}\nprocessors {"
    for (j = 1; j <= processors; j++)
        printf "  %d time %.4f availability %.2f;\n", j, random(0.05, 0.3), random(0.5, 1)
    print "}\nnetwork {\n  latency default 0.05;\n  latency local 0.001;"
    for (j = 1; j <= processors; j++)
        for (k = 1; k < j; k++)
            printf "  latency %d %d %.4f;\n", j, k, random(0.005, 0.15)
    print "}"
}
