# Copies of a name record in a tree of caches that let it expire:  awk -f ttl.awk REGIONS LEAVES
#
# Each of REGIONS regional caches has LEAVES caches below it, and all are below one national cache,
# which asks the origin.  A copy is stale, asked for, or fresh for its time to live.  The first user
# who wants a stale one makes the cache ask the next cache up, which may have to ask as well.  The
# origin is down at times, and seldom a purge makes all fresh copies stale at once.
# Source: J. Jung, A. W. Berger, H. Balakrishnan, "Modeling TTL-based Internet caches", INFOCOM
# 2003; N. Choungmo Fofack, P. Nain, G. Neglia, D. Towsley, "Analysis of TTL-based cache networks",
# VALUETOOLS 2012.
# States: 2 (3 (3^(l + 1) - 2^l)^r - (2 3^l)^r), r regions of l leaves, since a cache asks only
# while one below it does: 26142 for 2 3, 256686 for 2 4.
# Copies that are not fresh stay as they are at a purge (self-loops, meant so).
# Hard: an answer takes milliseconds, copies live for minutes or hours, outages are weeks apart; the
# leaves have from ten users a second to one in an hour.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 1 || ARGV[2] < 1) {
        print "usage: awk -f ttl.awk REGIONS LEAVES" > "/dev/stderr"
        exit 2
    }
    regions = ARGV[1] + 0
    leaves = ARGV[2] + 0
    print "// Per second."
    print "near = 100; far = 20; overseas = 5; purge = 1e-5; outage = 5e-7; restore = 5e-4;"
    for (r = 1; r <= regions; r++) {
        asks = gives = region = ""
        for (i = 1; i <= leaves; i++) {
            leaf = r "_" i
            print "want" leaf " = " sprintf("%.3g", 10 * exp(-12 * (i - 1 + (r - 1) / regions) / \
                leaves)) "; expire" leaf " = " sprintf("%.3g", 1 / (60 * i)) ";"
            cache(leaf, "(want" leaf ", want" leaf ")", "near", "", "")
            asks = asks " + (ask" leaf ", T).Asking" r
            gives = gives " + (give" leaf ", T).Fresh" r
            region = region (i > 1 ? " <purge> " : "") "Stale" leaf
        }
        print "expire" r " = " sprintf("%.3g", 1 / (900 * r)) ";"
        cache(r, "", "far", asks, gives)
        nation = nation (r > 1 ? " <purge> " : "") "((" region ") <*> Stale" r ")"
        top_asks = top_asks " + (ask" r ", T).Asking0"
        top_gives = top_gives " + (give" r ", T).Fresh0"
    }
    print "expire0 = 1e-4;"
    cache(0, "", "overseas", top_asks, top_gives)
    print "Origin = (give0, overseas).Origin + (purge, purge).Origin" \
        " + (outage, outage).Out;\nOut = (restore, restore).Origin;"
    print "((" nation ") <*> Stale0) <*> Origin"
}

# A cache that asks the one above it when a user (or a cache below) wants a stale copy.
function cache(name, want, pace, asks, gives)
{
    if (want != "")
        asks = " + " want ".Asking" name
    print "Stale" name " = " substr(asks, 4) " + (purge, T).Stale" name ";"
    print "Asking" name " = (give" name ", " (name == 0 ? "T" : pace) ").Fresh" name \
        (name == 0 ? "" : " + (ask" name ", " pace ").Asking" name) \
        " + (purge, T).Asking" name ";"
    print "Fresh" name " = (expire" name ", expire" name ").Stale" name gives \
        " + (purge, T).Stale" name ";"
}
