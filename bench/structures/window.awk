# A sliding window over a lossy channel (go-back-n):  awk -f window.awk WINDOW HOPS
#
# The sender has at most WINDOW frames without acknowledgement, numbered modulo WINDOW + 1.  The
# channel is a row of HOPS cells with one frame each; frames stay in order, and the first cell can
# lose its frame.  The receiver takes the next number only and acknowledges what it expects then.
# Acknowledgements pass one cell and can be lost too.  A timeout sends all frames again.
# Source: D. Bertsekas, R. Gallager, "Data Networks" (1987), section 2.4.2.
# States: 18975 for 4 2, 109610 for 4 3, 701743 for 6 3; far fewer than the components' product.
# Hard: each number has its own action at each hop, and most transitions lead on round the numbers;
# a lost frame makes the sender repeat all that are out.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f window.awk WINDOW HOPS" > "/dev/stderr"
        exit 2
    }
    w = ARGV[1] + 0
    hops = ARGV[2] + 0
    print "send = 2; hop = 3; lose = 0.15; reply = 4; back = 3; timeout = 0.1;"
    # Sender b, o, p: o frames from number b on are out; frame b + p is next (p = o: a new one).
    for (b = 0; b <= w; b++)
        for (o = 0; o <= w; o++)
            for (p = 0; p <= o; p++) {
                text = p > 0 ? " + (timeout, timeout)." sender(b, o, 0) : ""
                if (p < w)
                    text = text " + (hop0_" (b + p) % (w + 1) ", send)." \
                        sender(b, p < o ? o : o + 1, p + 1)
                for (a = 0; a <= w; a++) {
                    d = (a - b + w + 1) % (w + 1)
                    text = text " + (back" a ", T)." \
                        (d > o ? sender(b, o, p) : sender(a, o - d, p > d ? p - d : 0))
                }
                print sender(b, o, p) " = " substr(text, 4) ";"
            }
    for (i = 1; i <= hops; i++) {
        for (f = 0; f <= w; f++) {
            take = take (f ? " + " : "Cell" i " = ") "(hop" i - 1 "_" f ", T).Cell" i "_" f
            print "Cell" i "_" f " = (hop" i "_" f ", hop).Cell" i \
                (i == 1 ? " + (lose, lose).Cell1" : "") ";"
        }
        print take ";"
        take = ""
    }
    for (e = 0; e <= w; e++) {
        for (f = 0; f <= w; f++)
            take = take (f ? " + " : "") "(hop" hops "_" f ", T).Reply" (e + (f == e)) % (w + 1)
        print "Receiver" e " = " take ";\nReply" e " = (reply" e ", reply).Receiver" e ";"
        acks = acks (e ? " + " : "") "(reply" e ", T).Ack" e
        print "Ack" e " = (back" e ", back).Ack + (loseAck, lose).Ack;"
        take = ""
    }
    print "Ack = " acks ";"
    network = "Receiver0 <" series("reply", "") "> Ack"
    for (i = hops; i > 0; i--)
        network = "Cell" i " <" series("hop" i "_", "") "> (" network ")"
    print sender(0, 0, 0) " <" series("hop0_", "") ", " series("back", "") "> (" network ")"
}

function sender(b, o, p)
{
    return "Sender" b "_" o "_" p
}

function series(before, after,    k, text)
{
    for (k = 0; k <= w; k++)
        text = text (k > 0 ? ", " : "") before k after
    return text
}
