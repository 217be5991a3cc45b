# A mission in phases, of which one is reached by chance:  awk -f mission.awk INSTRUMENTS RECORDS
#
# A probe is launched (ten Erlang stages) and cruises.  At the planet it is captured into an orbit,
# where day and night alternate, or it misses and flies by for ever.  INSTRUMENTS instruments are
# off, on, or in a safe mode; those that are on fill a recorder of RECORDS records, which is sent
# home in the daylight of the orbit or, slowly, on the flyby.
# Source: J. D. Esary, H. Ziehms, "Reliability analysis of phased missions" (1975); I. Mura,
# A. Bondavalli, "Hierarchical modeling and evaluation of phased-mission systems", IEEE
# Transactions on Reliability 48 (1999).
# States: 10 (n + 1) for the launch of n instruments, and 4 (RECORDS + 1) C(n + 2, 2) for the
# cruise, the day, the night and the flyby: 11414 for 12 30, 75054 for 20 80.
# Hard: launch and cruise are left for ever (eleven warnings, meant so), and there are two bottom
# components.  `pepa solve` weighs them by the probability that the mission ends in each.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f mission.awk INSTRUMENTS RECORDS" > "/dev/stderr"
        exit 2
    }
    records = ARGV[2] + 0
    print "upset = 0.01; reset = 0.5; on = 0.2; off = 0.1; record = 0.05; send = 1.2; far = 0.2;"
    print "burn = 2; arrive = 0.001; captured = 0.9; sun = 0.08; shade = 0.12;  // per hour"
    for (k = 1; k <= 10; k++)
        print "Launch" k " = (burn, burn)." (k < 10 ? "Launch" k + 1 : "Cruise") \
            " + (upset, T).Launch" k " + (reset, reset).Launch" k ";"
    phase("Cruise", "(capture, captured * arrive).Day + (miss, (1 - captured) * arrive).Flyby", 0)
    phase("Day", "(sunset, sun).Night", "send")
    phase("Night", "(sunrise, shade).Day", 0)
    phase("Flyby", "", "far")
    print "Off = (upset, upset).Safe + (start, on).On;"
    print "On = (stop, off).Off + (record, record).On + (upset, 2 * upset).Safe;"
    print "Safe = (reset, reset).Off;"
    for (k = 0; k <= records; k++)
        print "Recorder" k " = " (k < records ? "(record, T).Recorder" k + 1 : "") \
            (k > 0 && k < records ? " + " : "") (k > 0 ? "(send, T).Recorder" k - 1 : "") ";"
    print "(Off[" ARGV[1] "] <record> Recorder0) <upset, reset, start, send> Launch1"
}

# A phase of the mission; all but the launch let instruments start.
function phase(name, end, rate)
{
    print name " = (start, T)." name " + (upset, T)." name " + (reset, reset)." name \
        (rate ? " + (send, " rate ")." name : "") (end == "" ? "" : " + " end) ";"
}
