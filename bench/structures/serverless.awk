# Functions run on demand in containers that are kept warm for a while:
#   awk -f serverless.awk CONTAINERS
#
# There is memory for CONTAINERS containers.  A call of function A or B goes to a warm container of
# its own function; if there is none a new one is booted where memory is free, or in place of a warm
# one of the other function; if all are at work the call is refused.  A container that has done its
# work is kept warm for ten minutes or so.  A is called often, and in bursts; B seldom, and takes
# longer.
# Source: M. Shahrad and others, "Serverless in the wild: characterizing and optimizing the
# serverless workload at a large cloud provider", USENIX ATC 2020; N. Mahmoudi, H. Khazaei,
# "Performance modeling of serverless computing platforms", IEEE Transactions on Cloud Computing 10
# (2022).
# States: 2 C(CONTAINERS + 6, 6): 37128 for 12, 460460 for 20.
# Hard: a population of seven local states, where each call goes by the numbers in all others; calls
# take a tenth of a second, warm containers live ten minutes.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 1) {
        print "usage: awk -f serverless.awk CONTAINERS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per second."
    print "callA = " 2.5 * n "; burstA = " 9 * n "; callB = 0.05; burst = 0.002; calm = 0.02;"
    print "bootA = 2; bootB = 0.3; runA = 10; runB = 0.2; expire = 1 / 600;"
    print "noFree = 1 - min(1, Free);"
    print "Free = (coldA, T).BootsA + (coldB, T).BootsB;"
    function_("A", "B")
    function_("B", "A")
    print "Calm = " calls("callA", "Calm") "\n    + (burst, burst).Burst;"
    print "Burst = " calls("burstA", "Burst") "\n    + (calm, calm).Calm;"
    print "Free[" n "] <warmA, coldA, evictB, warmB, coldB, evictA> Calm"
}

function function_(f, other)
{
    print "none" f " = 1 - min(1, Warm" f ");"
    print "Boots" f " = (boot" f ", boot" f ").Runs" f ";"
    print "Runs" f " = (end" f ", run" f ").Warm" f ";"
    print "Warm" f " = (warm" f ", T).Runs" f " + (evict" f ", T).Boots" other \
        " + (expire" f ", expire).Free;"
}

function calls(a, state)
{
    return calls_of("A", "B", a, state) "\n    + " calls_of("B", "A", "callB", state)
}

function calls_of(f, other, rate, state)
{
    return "(warm" f ", " rate " * (1 - none" f "))." state " + (cold" f ", " rate " * none" f \
        " * (1 - noFree))." state " + (evict" other ", " rate " * none" f " * noFree * (1 - none" \
        other "))." state
}
