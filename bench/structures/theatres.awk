# Operating theatres, their staff and the recovery beds:  awk -f theatres.awk ROOMS LIST
#
# Each of ROOMS rooms is clean, or has a patient asleep, operated on, or closed and waiting for a
# bed, or is dirty.  An anaesthetist (one fewer than rooms) stays with the patient all the time; a
# surgeon (two fewer, at least two) comes for the operation and writes notes after it.  A patient
# leaves the room only for one of ROOMS recovery beds.  Planned patients, LIST at most, are put on
# the list by day; urgent ones, three at most, go first.
# Source: B. Cardoen, E. Demeulemeester, J. Belien, "Operating room planning and scheduling: a
# literature review", European Journal of Operational Research 201 (2010).
# States: 32256 for 3 8, 604800 for 5 14.
# Easy: counted staff, rooms and beds, all of the order of an hour; overloaded by day, and the list
# is worked off by night.
# Who is referred to a full list goes elsewhere (self-loops, meant so).
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 1) {
        print "usage: awk -f theatres.awk ROOMS (from 2) LIST" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    list = ARGV[2] + 0
    print "// Per hour."
    print "fetch = 6; incise = 2.5; close = 0.7; wake = 4; clean = 2; write = 3; ward = 0.5;"
    print "refer = " 0.4 * n "; accident = " 0.06 * n "; dusk = 0.1; dawn = 0.071;"
    print "rest = 0.1; return = 1.5;"
    print "Clean = (planned, fetch).Asleep + (urgent, fetch).Asleep;"
    print "Asleep = (incise, incise).Operated;\nOperated = (close, close).Closed;"
    print "Closed = (wake, wake).Dirty;\nDirty = (clean, clean).Clean;"
    print "Surgeon = (incise, T).Operates;\nOperates = (close, T).Notes;"
    print "Notes = (write, write).Surgeon;"
    print "Free = (planned, T).Attends + (urgent, T).Attends + (rest, rest).Rests;"
    print "Attends = (wake, T).Free;\nRests = (return, return).Free;"
    print "Bed = (wake, T).Used;\nUsed = (ward, ward).Bed;"
    print "Day = (refer, refer).Day + (dusk, dusk).Night;\nNight = (dawn, dawn).Day;"
    for (k = 0; k <= list; k++)
        print "List" k " = (refer, T).List" (k < list ? k + 1 : k) \
            (k > 0 ? " + (planned, T).List" k - 1 : "") ";"
    print "Urgent0 = (accident, accident).Urgent1 + (planned, T).Urgent0;"
    for (k = 1; k <= 3; k++)
        print "Urgent" k " = (urgent, T).Urgent" k - 1 \
            (k < 3 ? " + (accident, accident).Urgent" k + 1 : "") ";"
    print "((Day <refer> List0) <planned> Urgent0) <planned, urgent>"
    print "((Clean[" n "] <incise, close> Surgeon[" (n > 4 ? n - 2 : 2) "])"
    print "<planned, urgent, wake> (Free[" n - 1 "] <wake> Bed[" n "]))"
}
