# A phone that sleeps between looks at the cell (DRX):  awk -f drx.awk STAGES ROOM
#
# The cell keeps at most ROOM packets for the phone.  The phone receives until nothing has come for
# the inactivity time, then looks for packets after each of four short sleeps, and from then on
# after long ones.  All times have STAGES stages.  The user reads, chats, or loads a page.
# Source: L. Zhou, H. Xu, H. Tian, Y. Gao, L. Du, L. Chen, "Performance analysis of power saving
# mechanism with adjustable DRX cycles in 3GPP LTE", IEEE VTC Fall (2008); S.-R. Yang, Y.-B. Lin,
# "Modeling UMTS discontinuous reception mechanism", IEEE Trans. Wireless Communications 4 (2005).
# States: 3 (ROOM + 1) (6 STAGES + 5): 15600 for 10 79, 375000 for 20 999.
# Easy: three components in a row and one buffer, light load.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f drx.awk STAGES ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "// Per millisecond."
    print "receive = 1; look = 2; inactive = " n " / 100; short = " n " / 20; long = " n " / 320;"
    print "page = 0.7; message = 0.02; click = 1 / 8000; chat = 1 / 30000;"
    print "loaded = 1 / 400; bye = 1 / 20000;"
    print "Reads = (click, click).Loads + (chat, chat).Chats;"
    print "Chats = (packet, message).Chats + (bye, bye).Reads;"
    print "Loads = (packet, page).Loads + (loaded, loaded).Reads;"
    # What does not fit is lost.
    for (k = 0; k <= room; k++)
        print "Cell" k " = (packet, T).Cell" (k < room ? k + 1 : k) \
            (k > 0 ? " + (receive, T).Cell" k - 1 " + (found, T).Cell" k : \
            " + (nothing, T).Cell0") ";"
    for (s = 1; s <= n; s++)
        print "Awake" s " = (receive, receive).Awake1 + (inactive, inactive)." \
            (s < n ? "Awake" s + 1 : "Sleep1_1") ";"
    for (c = 1; c <= 5; c++) {
        time = c < 5 ? "short" : "long"
        for (s = 1; s <= n; s++)
            print "Sleep" c "_" s " = (" time ", " time ")." \
                (s < n ? "Sleep" c "_" s + 1 : "Look" c) ";"
        print "Look" c " = (found, look).Awake1 + (nothing, look).Sleep" (c < 5 ? c + 1 : c) "_1;"
    }
    print "Reads <packet> Cell0 <receive, found, nothing> Awake1"
}
