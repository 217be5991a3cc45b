# A cache that drops what was used least recently:  awk -f lru.awk ITEMS CACHE
#
# CACHE of ITEMS items are in the cache, in the order of their last use.  A request brings its item
# to the front; if it was not there, the last one is dropped.  Items are requested by a law of Zipf
# by day, and a little more evenly and in another order by night.
# Source: W. F. King, "Analysis of demand paging algorithms", IFIP Congress 1971; A. Dan,
# D. Towsley, "An approximate analysis of the LRU and FIFO buffer replacement schemes",
# SIGMETRICS 1990.
# States: 2 ITEMS! / (ITEMS - CACHE)!: 30240 for 9 5, 302400 for 10 6.
# Hard: the states are orders of items, and each request changes the ranks of many; all items take
# part in each request and no two are alike.  Popularities change after 10^4 requests.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 2 || ARGV[1] <= ARGV[2]) {
        print "usage: awk -f lru.awk ITEMS CACHE (less)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    size = ARGV[2] + 0
    print "turn = 1e-4;"
    print "Day = (dusk, turn).Night;\nNight = (dawn, turn).Day;"
    for (i = 1; i <= n; i++)
        item(i)
    for (i = 1; i <= n; i++)
        items = items (i > 1 ? " <*> " : "") (i <= size ? "Item" i "_" i : "Out" i)
    print "(" items ") || Day"
}

# Item i: useK is a request for the item of rank K, missJ one for item j out of the cache.
function item(i,    j, k, misses, text)
{
    print "ask" i " = " sprintf("%.3g", 1 / i) " * Day + " \
        sprintf("%.3g", 0.7 / (1 + (i * 5) % n)) " * Night;"
    for (j = 1; j <= n; j++)
        if (j != i)
            misses = misses " + (miss" j ", T)."
    for (k = 1; k <= size; k++) {
        text = k > 1 ? " + (use" k ", ask" i ").Item" i "_1" : ""
        for (j = 2; j <= size; j++)
            if (j != k)
                text = text " + (use" j ", T).Item" i "_" (j < k ? k : k + 1)
        text = text to(misses, k < size ? "Item" i "_" k + 1 : "Out" i)
        print "Item" i "_" k " = " substr(text, 4) ";"
    }
    text = ""
    for (j = 2; j <= size; j++)
        text = text " + (use" j ", T).Out" i
    print "Out" i " = (miss" i ", ask" i ").Item" i "_1" text to(misses, "Out" i) ";"
}

# All of a list of activities lead to one state.
function to(list, state)
{
    gsub(/\)\./, ")." state, list)
    return list
}
