# Threads that fill and empty a bounded buffer inside a monitor:
#   awk -f monitor.awk PRODUCERS CONSUMERS SLOTS
#
# A thread works outside, then takes the lock of the monitor.  A producer who finds no free slot of
# SLOTS, or a consumer who finds no full one, gives up the lock and waits on its condition; while
# there is something for those who wait they are woken one by one, and have to take the lock again.
# Source: C. A. R. Hoare, "Monitors: an operating system structuring concept", Communications of the
# ACM 17 (1974); B. W. Lampson, D. D. Redell, "Experience with processes and monitors in Mesa",
# Communications of the ACM 23 (1980).
# States: with F(n) = C(n + 2, 2) ways of n threads outside, at the lock or waiting, and p producers
# and c consumers: (SLOTS + 1) (F(p) F(c) + F(p - 1) F(c) + F(p) F(c - 1)), less what cannot be:
# 25472 for 7 6 9, 1040386 for 16 16 15.
# Easy: two populations, one lock, one buffer; rates in two decades.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f monitor.awk PRODUCERS CONSUMERS SLOTS" > "/dev/stderr"
        exit 2
    }
    slots = ARGV[3] + 0
    print "make = 1.2; use = 1; seize = 100; copy = 40; look = 150; wake = 60;"
    print "Makes = (make, make).PutLock;"
    print "PutLock = (lockput, seize).Puts;"
    print "Puts = (put, T).Makes + (full, T).PutWait;"
    print "PutWait = (wakeput, T).PutLock;"
    print "Uses = (use, use).GetLock;"
    print "GetLock = (lockget, seize).Gets;"
    print "Gets = (get, T).Uses + (empty, T).GetWait;"
    print "GetWait = (wakeget, T).GetLock;"
    print "Open = (lockput, T).Held + (lockget, T).Held;"
    print "Held = (put, copy).Open + (get, copy).Open + (full, look).Open + (empty, look).Open;"
    for (k = 0; k <= slots; k++)
        print "Buffer" k " = " (k < slots ? "(put, T).Buffer" k + 1 " + (wakeput, wake).Buffer" k \
            : "(full, T).Buffer" k) " + " (k > 0 ? "(get, T).Buffer" k - 1 \
            " + (wakeget, wake).Buffer" k : "(empty, T).Buffer" k) ";"
    print "(Makes[" ARGV[1] + 0 "] || GetLock[" ARGV[2] + 0 "])"
    print "    <lockput, lockget, put, get, full, empty, wakeput, wakeget>"
    print "(Open <put, get, full, empty> Buffer0)"
}
