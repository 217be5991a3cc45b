# Two deep states at the ends of a line of n + 1:  awk -v n=N -f deep.awk
BEGIN {
    print "r = 1;"
    for (i = 0; i <= n; i++) {
        s = "S" i " = "
        if (i < n)
            s = s "(up, " (i < n / 2 ? "1" : "2 * r") ").S" (i + 1) (i > 0 ? " + " : "")
        if (i > 0)
            s = s "(down, " (i <= n / 2 ? 2 : 1) ").S" (i - 1)
        print s ";"
    }
    print "S0"
}
