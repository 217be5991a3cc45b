# A primary database that ships its log to replicas:  awk -f logship.awk REPLICAS LAG
#
# Each write goes to all replicas at once; a replica is behind by at most LAG writes, and the
# primary waits for one that is.  Replicas apply one write after the other, the last one (for
# reports) all that it has at once.  A crashed replica is left out, and starts from a snapshot LAG
# writes behind.  Writes come calmly or in bursts; a failed primary is replaced after a vote.
# Source: J. Gray, P. Helland, P. O'Neil, D. Shasha, "The dangers of replication and a solution",
# SIGMOD 1996; L. Flatto, S. Hahn, "Two parallel queues created by arrivals with two demands I",
# SIAM Journal on Applied Mathematics 44 (1984).
# States: 3 (LAG + 2)^REPLICAS: 43923 for 4 9, 746496 for 5 10.
# Hard: a write moves all counters at once and each comes back by itself (fork without join);
# the slowest replica can do hardly more than the mean load; crashes are 10^5 writes apart.
# If all are down, nothing keeps the writes (a self-loop, meant so).
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2) {
        print "usage: awk -f logship.awk REPLICAS (at least 2) LAG" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    lag = ARGV[2] + 0
    print "calm = 0.7; burst = 1.9; rise = 0.01; drop = 0.03;  // 1 write per time in the mean"
    print "fail = 2e-6; vote = 0.05; crash = 1e-5; boot = 1e-3; report = 0.3;"
    print "Calm = (write, calm).Calm + (rise, rise).Burst + (fail, fail).Failed;"
    print "Burst = (write, burst).Burst + (drop, drop).Calm + (fail, fail).Failed;"
    print "Failed = (vote, vote).Calm;"
    for (i = 1; i <= n; i++) {
        if (i < n)
            print "apply" i " = " 1 + 0.06 * i ";"
        for (k = 0; k <= lag; k++) {
            text = k < lag ? " + (write, T).Replica" i "_" k + 1 : ""
            if (k > 0)
                text = text (i < n ? " + (apply" i ", apply" i ").Replica" i "_" k - 1 \
                    : " + (report, report).Replica" i "_0")
            print "Replica" i "_" k " = " substr(text, 4) " + (crash" i ", crash).Down" i ";"
        }
        print "Down" i " = (write, T).Down" i " + (boot" i ", boot).Replica" i "_" lag ";"
        replicas = replicas (i > 1 ? " <write> " : "") "Replica" i "_0"
    }
    print "Calm <write> (" replicas ")"
}
