# Caches kept coherent over a bus (MSI):  awk -f coherence.awk CACHES
#
# Two blocks are shared.  A cache holds a block invalid, shared or modified.  A miss to read makes
# the others share the block; a miss to write makes them drop it.  Misses take the bus, which then
# is busy with the transfer.  Blocks are evicted for others.
# Source: J. Archibald, J.-L. Baer, "Cache coherence protocols: evaluation using a multiprocessor
# simulation model", ACM Transactions on Computer Systems 4 (1986); J. R. Goodman, "Using cache
# memory to reduce processor-memory traffic", ISCA 1983.
# States: 2 (2^CACHES + CACHES)^2: 139392 for 8, 2138312 for 10.
# Hard: all caches take part in each miss, so a transition changes many components; processors
# differ, so none can be counted together.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f coherence.awk CACHES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "transfer = 20; evict = 0.05;"
    for (b = 1; b <= 2; b++) {
        for (i = 1; i <= n; i++)
            cache()
        blocks = blocks (b > 1 ? " || " : "") "("
        for (i = 1; i <= n; i++)
            blocks = blocks (i > 1 ? " <*> " : "") "I" i "_" b
        blocks = blocks ")"
    }
    print "Free = " substr(misses, 4) ";\nBusy = (transfer, transfer).Free;"
    print "(" blocks ") <*> Free"
}

# Block b in cache i, by what it does and what the others do.
function cache(    j, invalid, shared, modified)
{
    for (j = 1; j <= n; j++)
        if (j != i) {
            invalid = invalid " + (read" j "_" b ", T).I" i "_" b " + (write" j "_" b ", T).I" i \
                "_" b
            shared = shared " + (read" j "_" b ", T).S" i "_" b " + (write" j "_" b ", T).I" i "_" b
            modified = modified " + (read" j "_" b ", T).S" i "_" b " + (write" j "_" b ", T).I" \
                i "_" b
        }
    print "read" i "_" b " = " 0.2 + 0.1 * (i % 3) "; write" i "_" b " = " \
        0.02 + 0.05 * ((i + b) % 4) ";"
    print "I" i "_" b " = (read" i "_" b ", read" i "_" b ").S" i "_" b " + (write" i "_" b \
        ", write" i "_" b ").M" i "_" b invalid ";"
    print "S" i "_" b " = (write" i "_" b ", write" i "_" b ").M" i "_" b " + (evict" i "_" b \
        ", evict).I" i "_" b shared ";"
    print "M" i "_" b " = (evict" i "_" b ", evict).I" i "_" b modified ";"
    misses = misses " + (read" i "_" b ", T).Busy + (write" i "_" b ", T).Busy"
}
