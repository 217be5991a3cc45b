# A call centre with two skills, priority and impatience:
#   awk -f callcentre.awk SPECIAL GENERAL ROOM
#
# Two kinds of calls wait in queues of room ROOM and leave when they lose patience.  SPECIAL agents
# take the first kind only.  GENERAL agents take both; the second kind only while no call of the
# first kind waits.  Agents are offered as much work as they can do (load 1).
# Source: N. Gans, G. Koole, A. Mandelbaum, "Telephone call centers: tutorial, review, and research
# prospects", Manufacturing and Service Operations Management 5 (2003).
# States: (ROOM + 1)^2 (SPECIAL + 1) C(GENERAL + 2, 2): 16000 for 3 3 19, 504000 for 6 8 39.
# Hard: taking a call lasts a second and serving it minutes, and at load 1 the queues wander.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f callcentre.awk SPECIAL GENERAL ROOM" > "/dev/stderr"
        exit 2
    }
    special = ARGV[1] + 0
    general = ARGV[2] + 0
    room = ARGV[3] + 0
    print "take = 60; gold = 0.4; plain = 0.25; patience = 0.01;  // per minute"
    print "callGold = 0.4 * " special " + 0.2 * " general "; callPlain = 0.125 * " general ";"
    queue("Gold")
    queue("Plain")
    print "Special = (takeGold, take).SpecialGold;"
    print "SpecialGold = (serveGold, gold).Special;"
    print "General = (takeGold, take).GeneralGold + (takePlain, take).GeneralPlain;"
    print "GeneralGold = (serveGold, gold).General;"
    print "GeneralPlain = (servePlain, plain).General;"
    print "(Gold0 <takePlain> Plain0) <takeGold, takePlain>"
    print "(Special[" special "] || General[" general "])"
}

# The queue of a kind.  Plain calls are taken only while the queue of gold ones is empty.
function queue(kind,    k, text)
{
    for (k = 0; k <= room; k++) {
        text = k < room ? " + (call" kind ", call" kind ")." kind k + 1 : ""
        if (k > 0)
            text = text " + (take" kind ", T)." kind k - 1 \
                " + (giveUp" kind ", " k " * patience)." kind k - 1
        if (k == 0 && kind == "Gold")
            text = text " + (takePlain, T).Gold0"
        print kind k " = " substr(text, 4) ";"
    }
}
