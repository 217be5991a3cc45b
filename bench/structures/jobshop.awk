# A job shop with routes at random, setups and failures:  awk -f jobshop.awk SEED FAMILIES JOBS
#
# There are always JOBS jobs of each of FAMILIES families.  A job passes 3 or 4 of FAMILIES + 1
# machines in the order of its family, and a new one begins.  A machine works for the family it is
# set up for, and is set up for another of which jobs wait, after ten jobs or so.  Half of the
# machines break down.
# Source: J. R. Jackson, "Jobshop-like queueing systems", Management Science 10 (1963);
# R. W. Conway, W. L. Maxwell, L. W. Miller, "Theory of Scheduling" (1967); the generator of
# S. K. Park, K. W. Miller, "Random number generators: good ones are hard to find",
# Communications of the ACM 31 (1988).
# States: the product over families of C(JOBS + s - 1, s - 1), s the steps, and over the machines of
# the families there, and one if it breaks; a few fewer: 21168 for 1 2 6, 850353 for 8 3 4.
# Hard: which machine holds up which family is not known before; rates in three decades.
BEGIN {
    if (ARGC != 4 || ARGV[2] < 2) {
        print "usage: awk -f jobshop.awk SEED FAMILIES (from 2) JOBS" > "/dev/stderr"
        exit 2
    }
    state = 1000 + 7919 * ARGV[1]
    n = ARGV[2] + 0
    jobs = ARGV[3] + 0
    for (i = 0; i < 10; i++)
        random(1)
    for (f = 1; f <= n; f++) {
        steps[f] = n < 3 || random(1) < 0.5 ? 3 : 4
        for (s = 1; s <= steps[f]; s++)
            step()
        families = families (f > 1 ? " || " : "") "Job" f "_1[" jobs "]"
    }
    for (m = 1; m <= n + 1; m++)
        if (m in users)
            machine()
    # A job that waits calls for the setup, if its machine has other work too.
    for (f = 1; f <= n; f++)
        for (s = 1; s <= steps[f]; s++) {
            m = route[f, s]
            print "Job" f "_" s " = (do" f "_" s ", T).Job" f "_" s % steps[f] + 1 \
                (users[m] == " " f ? "" : " + (set" m "_" f ", T).Job" f "_" s) ";"
        }
    print "(" families ") <*> (" substr(machines, 5) ")"
}

function random(high)
{
    state = (state * 16807) % 2147483647
    return high * state / 2147483647
}

# Step s of family f, on a machine at random where it has not been.
function step(    m)
{
    do
        m = 1 + int(random(n + 1))
    while ((m, f) in work)
    route[f, s] = m
    printf "do%d_%d = %.3g;\n", f, s, 0.5 + random(1.5)
    work[m, f] = " + (do" f "_" s ", do" f "_" s ").For" m "_" f
    users[m] = users[m] " " f
}

function machine(    many, user, i, j, text, breaks)
{
    many = split(users[m], user, " ")
    breaks = random(1) < 0.5
    printf "change%d = %.3g;\n", m, 0.05 + random(0.1)
    for (i = 1; i <= many; i++) {
        text = work[m, user[i]] (breaks ? " + (fail" m ", 0.002).Down" m : "")
        for (j = 1; j <= many; j++)
            if (j != i)
                text = text " + (set" m "_" user[j] ", change" m ").For" m "_" user[j]
        print "For" m "_" user[i] " = " substr(text, 4) ";"
    }
    if (breaks)
        printf "Down%d = (repair%d, %.3g).For%d_%d;\n", m, m, 0.02 + random(0.05), m, user[1]
    machines = machines " || For" m "_" user[1]
}
