# Cores that steal tasks from each other when they have none:  awk -f stealing.awk CORES DEQUE
#
# A core works on the newest of its at most DEQUE tasks.  A task forks another or ends; a core
# whose deque is full does the work of the fork itself.  One without tasks steals the oldest of
# another that has two or more, rather on its own socket (every second core) than on the other.
# Requests come to every core, most of all to the first.
# Source: R. D. Blumofe, C. E. Leiserson, "Scheduling multithreaded computations by work stealing",
# Journal of the ACM 46 (1999); M. Mitzenmacher, "Analyses of load stealing models based on
# differential equations", Theory of Computing Systems 34 (2001).
# States: (DEQUE + 1)^CORES: 28561 for 4 12, 531441 for 6 8.
# Easy: small steps between neighbouring states and rates close to each other.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 2) {
        print "usage: awk -f stealing.awk CORES (from 2) DEQUE (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "// Per millisecond."
    print "end = 1; fork = 0.4; near = 8; far = 2;"
    for (i = 1; i <= n; i++) {
        print "come" i " = " (i == 1 ? 0.25 * n : 0.15) ";"
        for (k = 0; k <= room; k++) {
            text = ""
            if (k < room)
                text = text " + (come" i ", come" i ").Core" i "_" k + 1
            if (k > 0)
                text = text " + (end" i ", end).Core" i "_" k - 1
            if (k > 0 && k < room)
                text = text " + (fork" i ", fork).Core" i "_" k + 1
            for (j = 1; j <= n; j++)
                if (j != i) {
                    if (k == 0)
                        text = text " + (steal" i "from" j ", " \
                            ((i - j) % 2 == 0 ? "near" : "far") ").Core" i "_1"
                    if (k > 1)
                        text = text " + (steal" j "from" i ", T).Core" i "_" k - 1
                }
            print "Core" i "_" k " = " substr(text, 4) ";"
        }
        cores = cores (i > 1 ? " <*> " : "") "Core" i "_0"
    }
    print cores
}
