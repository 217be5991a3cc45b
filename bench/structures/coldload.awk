# Heated houses that all want power after an outage:  awk -f coldload.awk HOUSES LEVELS
#
# The thermostat of a house turns its heater on when it is cold and off when it is warm.  The
# heaters warm the transformer of the street by LEVELS levels; from two thirds on it may trip.  It
# is switched back after an hour, at half of the power first.  The house cools the faster the colder
# it is outside.
# Source: R. Malhame, C.-Y. Chong, "Electric load model synthesis by diffusion approximation of a
# high-order hybrid-state stochastic system", IEEE Transactions on Automatic Control 30 (1985);
# R. E. Mortensen, K. P. Haggerty, "A stochastic computer model for heating and cooling loads",
# IEEE Transactions on Power Systems 3 (1988).
# States: 9 (LEVELS + 1) C(HOUSES + 3, 3): 28665 for 12 6, 888552 for 40 7.
# Hard: houses do not know of each other, and take turns by chance until an outage sets them all to
# cold; then the street may trip again and again.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 3) {
        print "usage: awk -f coldload.awk HOUSES (from 2) LEVELS (from 3)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    top = ARGV[2] + 0
    print "// Per hour."
    print "heat = 4; cool = 1; warm = 4; trip = 1.5; fault = 0.0002; restore = 1; raise = 2;"
    power = "(In + 0.5 * Half)"
    loss = "(1 + Frost + 2 * Severe)"
    print "Cold = (heat, heat * " power ").Rises;"
    print "Rises = (heat, heat * " power ").Warm + (chill, cool * " loss " * (0.2 + Out)).Cold;"
    print "Warm = (chill, cool * " loss ").Falls;\nFalls = (chill, cool * " loss ").Cold;"
    for (k = 0; k <= top; k++)
        print "Level" k " = " (k < top ? "(warm, warm * " power " * (Cold + Rises) / " n ").Level" \
            k + 1 : "") (k > 0 && k < top ? " + " : "") \
            (k > 0 ? "(relax, " 4 * k / top ").Level" k - 1 : "") \
            (k >= 2 * top / 3 ? " + (trip, trip).Level" k : "") ";"
    print "In = (trip, T).Out + (fault, fault).Out;\nOut = (restore, restore).Half;"
    print "Half = (raise, raise).In + (trip, T).Out;"
    print "Mild = (freeze, 0.01).Frost;\nFrost = (thaw, 0.02).Mild + (freeze, 0.01).Severe;"
    print "Severe = (thaw, 0.03).Frost;"
    print "Warm[" n "] || (Level0 <trip> In) || Mild"
}
