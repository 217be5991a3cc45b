# Independent components, each with a centre from which it goes to one of its tips and back:
#   awk -v components=5 -v tips=73 -f stars.awk
# (tips + 1) ^ components states; component k is in its centre with probability 1 / (1 + tips k / 20).
BEGIN {
    for (k = 1; k <= components; k++) {
        printf "C%d = ", k
        for (i = 1; i <= tips; i++)
            printf "%s(go%d, %.2f).T%d_%d", (i == 1 ? "" : " + "), k, k / 20, k, i
        print ";"
        for (i = 1; i <= tips; i++)
            printf "T%d_%d = (back%d, 1).C%d;\n", k, i, k, k
    }
    for (k = 1; k <= components; k++)
        printf "%sC%d", (k == 1 ? "" : " || "), k
    print ""
}
