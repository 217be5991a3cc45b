# Processors, memories and buses that fail:  awk -f multiprocessor.awk PROCESSORS MEMORIES BUSES
#
# A processor computes and then needs a memory over a bus.  All of them fail, once in months, and one crew repairs them,
# one after the other.  A failure of a processor that is not noticed stops the machine until it is started again.
# Source: M. Ajmone Marsan, G. Balbo, G. Conte, "Performance models of multiprocessor systems", MIT Press 1986.
# States: some (PROCESSORS + 2) (PROCESSORS + 1) (MEMORIES + 1) (BUSES + 1); 25350 for 24 12 2, 351726 for 60 30 2.
# Hard: rates from 1e-7 to 1e5, and states with so many failures that their probability is 1e-100.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f multiprocessor.awk PROCESSORS MEMORIES BUSES" > "/dev/stderr"
        exit 2
    }
    print "// Per second."
    print "compute = 1e4; access = 2e5; fail = 1e-6; unnoticed = 1e-9; worn = 3e-7; cut = 1e-7;"
    print "repair = 0.05; start = 0.01;"
    print "Processor = (compute, compute).Waiting + (fail, fail).Failed + (crash, unnoticed).Failed;"
    print "Waiting = (access, T).Processor + (fail, fail).Failed + (crash, unnoticed).Failed;"
    print "Failed = (mend, T).Processor;"
    print "Memory = (access, access).Memory + (worn, worn).Worn;"
    print "Worn = (replace, T).Memory;"
    print "Bus = (access, access).Bus + (cut, cut).Cut;"
    print "Cut = (join, T).Bus;"
    print "Up = (crash, T).Down;"
    print "Down = (start, start).Up;"
    print "Crew = (mend, repair).Crew + (replace, repair).Crew + (join, repair).Crew;"
    print "((Processor[" ARGV[1] "] <access> (Memory[" ARGV[2] "] <access> Bus[" ARGV[3] "]))"
    print "    <mend, replace, join> Crew) <crash> Up"
}
