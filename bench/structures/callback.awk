# A call centre with a voice menu that calls back:  awk -f callback.awk LINES AGENTS CALLBACKS
#
# A call takes one of LINES lines and hears a voice menu, which serves most.  The others wait for an
# agent, give up, or, the sooner the more calls wait, leave a number; CALLBACKS of them are kept.
# An agent notes each call after it; a free one calls back, mostly while no call waits.
# Source: M. Armony, C. Maglaras, "On customer contact centers with a call-back option: customer
# decisions, routing rules, and system design", Operations Research 52 (2004); P. Khudyakov,
# P. D. Feigin, A. Mandelbaum, "Designing a call center with an IVR (interactive voice response)",
# Queueing Systems 66 (2010).
# States: the sum of C(LINES - t + 2, 2) C(AGENTS - t + 2, 2) for t from 0 to AGENTS, times
# CALLBACKS + 1: 29820 for 10 5 9, 575718 for 20 10 10.
# Hard: populations of four local states each, of lines and of agents, bound by the calls they talk
# in; rates that depend on how many wait; seconds to answer, minutes to talk.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f callback.awk LINES AGENTS CALLBACKS" > "/dev/stderr"
        exit 2
    }
    lines = ARGV[1] + 0
    agents = ARGV[2] + 0
    room = ARGV[3] + 0
    print "call = " 0.5 * agents "; menu = 1; talk = 0.3; note = 1; answer = 20;  // per minute"
    print "Calls = (call, call).Calls;"
    print "Line = (call, T).Menu;"
    print "Menu = (served, 0.65 * menu).Line + (ask, 0.35 * menu).Waiting;"
    print "Waiting = (answer, T).Talking + (giveUp, 0.1).Line"
    print "    + (leaveNumber, 0.4 * Waiting / " agents ").Line;"
    print "Talking = (hangUp, T).Line;"
    print "Agent = (answer, answer).Busy + (callBack, 4 / (1 + 10 * Waiting)).Calling;"
    print "Busy = (hangUp, talk).Noting;"
    print "Calling = (done, talk).Noting;"
    print "Noting = (note, note).Agent;"
    for (k = 0; k <= room; k++)
        print "Numbers" k " = " (k < room ? "(leaveNumber, T).Numbers" k + 1 : "") \
            (k > 0 && k < room ? " + " : "") (k > 0 ? "(callBack, T).Numbers" k - 1 : "") ";"
    print "((Calls <call> Line[" lines "]) <answer, hangUp> Agent[" agents "])"
    print "<leaveNumber, callBack> Numbers0"
}
