# A description for amoget:  awk -f bench/pipelines.awk FAMILY STAGES PROCESSORS SEED [serial]
# Works and times differ by up to 3 and 10.  spread: links matter little; slow: they take as long as work;
# alike: processors differ by a few per cent, and links hardly matter, which is hard for a search.

# Uniform in 0 .. 1: Park and Miller, CACM 31 (1988).
function uniform() {
    state = 48271 * state % 2147483647
    return state / 2147483647
}

function latency() {
    return family == "alike" ? 0.001 : (family == "slow" ? 0.3 : 0.05) * (0.1 + uniform())
}

BEGIN {
    family = ARGV[1]
    stages = ARGV[2]
    processors = ARGV[3]
    state = 1000003 * ARGV[4] % 2147483647
    print "pipeline {"
    for (i = 1; i <= stages; i++)
        printf "  stage s%d work %.6f;\n", i, family == "alike" ? 1 : 0.5 + uniform()
    print "}\nprocessors {"
    for (j = 1; j <= processors; j++)
        printf "  p%d time %.6f;\n", j, family == "alike" ? 0.1 + 0.002 * j : 0.05 + 0.45 * uniform()
    print "}\nnetwork {\n  latency local 0.1ms;"
    for (a = 1; a <= processors; a++)
        for (b = 1; b < a; b++)
            printf "  latency p%d p%d %.6f;\n", a, b, latency()
    print "}"
    if (ARGV[5] == "serial")
        print "sharing serial;"
    exit
}
