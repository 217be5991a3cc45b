# Transactions that lock a table and its rows:  awk -f locks.awk TRANSACTIONS ROWS
#
# Each transaction takes its table, shared, then two rows of it, exclusive, the lower one first; it
# works and releases all together (two-phase locking).  There are two tables: one of the even rows
# and one of the odd rows.  Now and then a table is rebuilt, which takes it exclusive.
# Source: J. Gray, R. Lorie, G. Putzolu, I. Traiger, "Granularity of locks and degrees of
# consistency in a shared data base" (1976); P. Bernstein, V. Hadzilacos, N. Goodman, "Concurrency
# Control and Recovery in Database Systems" (1987).
# States: 14720 for 6 12, 56695 for 7 12, 254600 for 8 10.
# Hard: no two transactions are alike, and the locks leave few of the states of the product
# 5^TRANSACTIONS 2^ROWS reachable.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 6 || ARGV[2] % 2) {
        print "usage: awk -f locks.awk TRANSACTIONS ROWS (an even number from 6)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    rows = ARGV[2] + 0
    print "grab = 10; rebuild = 0.02; ready = 0.5;"
    for (t = 1; t <= n; t++) {
        odd = t % 2
        one = (t * 2 + odd) % rows
        other = (one + (t % 4 < 2 ? 2 : 4)) % rows
        a = one < other ? one : other
        b = one + other - a
        print "begin" t " = " 0.2 + 0.05 * (t % 3) "; commit" t " = " 1 + 0.25 * (t % 4) ";"
        print "Think" t " = (begin" t ", begin" t ").Begin" t ";"
        print "Begin" t " = (share" t ", grab).Table" t ";"
        print "Table" t " = (grab" t "_" a ", grab).Row" t ";"
        print "Row" t " = (grab" t "_" b ", grab).Work" t ";"
        print "Work" t " = (commit" t ", commit" t ").Think" t ";"
        transactions = transactions (t > 1 ? " || " : "") "Think" t
        grabs[a] = grabs[a] " + (grab" t "_" a ", T).Held" a
        grabs[b] = grabs[b] " + (grab" t "_" b ", T).Held" b
        frees[a] = frees[a] " + (commit" t ", T).Free" a
        frees[b] = frees[b] " + (commit" t ", T).Free" b
        in_table[t] = odd
    }
    locks = table(0) " <*> " table(1)
    for (r = 0; r < rows; r++)
        if (r in grabs) {
            print "Free" r " = " substr(grabs[r], 4) ";\nHeld" r " = " substr(frees[r], 4) ";"
            locks = locks " <*> Free" r
        }
    print "(" transactions ") <*> (" locks ")"
}

# A table, shared by k transactions or being rebuilt.
function table(which,    k, t, users, text)
{
    for (t = 1; t <= n; t++)
        users += in_table[t] == which
    for (k = 0; k <= users; k++) {
        text = k > 0 ? "" : " + (rebuild" which ", rebuild).Rebuilt" which
        for (t = 1; t <= n; t++)
            if (in_table[t] == which)
                text = text (k < users ? " + (share" t ", T).Shared" which "_" k + 1 : "") \
                    (k > 0 ? " + (commit" t ", T).Shared" which "_" k - 1 : "")
        print "Shared" which "_" k " = " substr(text, 4) ";"
    }
    print "Rebuilt" which " = (ready" which ", ready).Shared" which "_0;"
    return "Shared" which "_0"
}
