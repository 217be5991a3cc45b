# Application servers whose parts are restarted one by one, or all if that does not help:
#   awk -f microreboot.awk SERVERS COMPONENTS ROOM
#
# A machine runs SERVERS servers of COMPONENTS components each.  A component that fails is rebooted
# by itself, in half a second.  If the fault lies deeper, its server is restarted with all that is
# in it.  A server that is wedged needs a reboot of the machine with all servers.  Requests, of
# which ROOM wait, are served by the components that are fine, on servers that run.
# Source: G. Candea, S. Kawamoto, Y. Fujiki, G. Friedman, A. Fox, "Microreboot: a technique for
# cheap recovery", OSDI (2004); G. Candea, J. Cutler, A. Fox, "Improving availability with recursive
# microreboots: a soft-state system case study", Performance Evaluation 56 (2004).
# States: 2 3^s 4^(s c) (ROOM + 1), s = SERVERS, c = COMPONENTS: 46080 for 2 2 9, 737280 for 2 3 9.
# Hard: nested restarts; requests take ten milliseconds, faults come in days and months.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f microreboot.awk SERVERS COMPONENTS ROOM" > "/dev/stderr"
        exit 2
    }
    s = ARGV[1] + 0
    c = ARGV[2] + 0
    room = ARGV[3] + 0
    print "// Per second."
    print "come = 60; serve = 100; detect = 0.5; boot = 2; vain = 0.2; start = 0.05; rise = 0.008;"
    print "fault = 1e-5; deep = 5e-7; wedge = 5e-8; hung = 0.02; power = 3e-8;"
    for (i = 1; i <= s; i++)
        server(i)
    print "Machine = (reboot, power + hung * (" wedged ")).Rising;"
    print "Rising = (rise, rise).Machine;"
    for (k = 0; k <= room; k++)
        print "Request" k " = " (k < room ? "(come, come).Request" k + 1 : "") \
            (k > 0 && k < room ? " + " : "") \
            (k > 0 ? "(serve, serve * Machine * (" work ") / " s * c ").Request" k - 1 : "") ";"
    print "((" servers ") <reboot> Machine) || Request0"
}

# Server i with its components; the later ones are younger and fail more often.
function server(i,    j, id, parts, stuck, fine)
{
    for (j = 1; j <= c; j++) {
        id = i "_" j
        print "Fine" id " = (fault" id ", " j " * fault).Failed" id " + (deep" id ", " i \
            " * deep).Deep" id whole(i, id)
        print "Failed" id " = (detect" id ", detect).Booting" id whole(i, id)
        print "Booting" id " = (boot" id ", boot).Fine" id whole(i, id)
        print "Deep" id " = " substr(whole(i, id), 4)
        parts = parts (j > 1 ? " <restart" i ", reboot> " : "") "Fine" id
        stuck = stuck (j > 1 ? " + " : "") "Deep" id
        fine = fine (j > 1 ? " + " : "") "Fine" id
    }
    print "Runs" i " = (restart" i ", vain * (" stuck ")).Starts" i " + (wedge" i \
        ", wedge).Wedged" i " + (reboot, T).Starts" i ";"
    print "Starts" i " = (start" i ", start).Runs" i " + (reboot, T).Starts" i ";"
    print "Wedged" i " = (reboot, T).Starts" i ";"
    wedged = wedged (i > 1 ? " + " : "") "Wedged" i
    work = work (i > 1 ? " + " : "") "Runs" i " * (" fine ")"
    servers = servers (i > 1 ? " <reboot> " : "") "((" parts ") <restart" i ", reboot> Runs" i ")"
}

# What a restart of the server, or of the machine, does to a component.
function whole(i, id)
{
    return " + (restart" i ", T).Fine" id " + (reboot, T).Fine" id ";"
}
