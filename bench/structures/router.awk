# A router whose line cards go on forwarding without their control processor:
#   awk -f router.awk CARDS ROOM
#
# Packets of all cards that are up share a fabric with a buffer of ROOM; each card has calm and
# busy hours with the others.  One of two control processors is active, the other in standby; when
# the active one fails the other takes over within seconds and the first is booted and brought up
# to date.  If both are down for minutes the neighbours give up: all cards lose their tables at
# once.  A card that has failed or lost its table loads it from an active processor.
# Source: J. Moy, P. Pillay-Esnault, A. Lindem, "Graceful OSPF restart", RFC 3623 (2003); J. F.
# Meyer, "On evaluating the performability of degradable computing systems", IEEE Transactions on
# Computers 29 (1980).
# States: 2 (ROOM + 1) (5 C(CARDS + 2, 2) + CARDS + 1): 23868 for 8 50, 627164 for 16 400.
# Hard: packets take a millisecond, cards fail after years: more than nine decades, on
# four levels; in busy hours more packets come than the fabric can carry.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 1) {
        print "usage: awk -f router.awk CARDS ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "// Per second."
    print "fabric = 1000; offer = " 850 / n "; hour = 3e-4;"
    print "break = 2e-8; replace = 1e-4; load = 0.1; crash = 1e-6; takeOver = 0.5; boot = 0.005;"
    print "sync = 0.02; expire = 0.008;"
    print "Up = (break, break).Broken + (purge, T).Empty;"
    print "Broken = (replace, replace).Empty + (purge, T).Broken;"
    print "Empty = (load, T).Up + (purge, T).Empty;"
    print "Both = (crash, crash).Takeover + (crash, crash).Single + (load, load).Both;"
    print "Takeover = (takeOver, takeOver).Single + (crash, crash).Dead;"
    print "Single = (boot, boot).Syncing + (crash, crash).Dead + (load, load).Single;"
    print "Syncing = (sync, sync).Both + (crash, crash).Dead + (load, load / 2).Syncing;"
    print "Dead = (boot, 2 * boot).Single + (purge, expire).Purged;"
    print "Purged = (boot, 2 * boot).Single;"
    print "Calm = (busy, hour).Busy;\nBusy = (calm, 2 * hour).Calm;"
    for (k = 0; k <= room; k++)
        print "Buffer" k " = " \
            (k < room ? "(packet, offer * Up * (0.6 + 0.6 * Busy)).Buffer" k + 1 : "") \
            (k > 0 && k < room ? " + " : "") (k > 0 ? "(forward, fabric).Buffer" k - 1 : "") ";"
    print "((Up[" n "]{purge} <load, purge> Both) || Calm) || Buffer0"
}
