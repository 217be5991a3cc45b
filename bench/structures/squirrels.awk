# Red and grey squirrels on an island, and whether the greys can be got rid of:
#   awk -f squirrels.awk CONIFER BROADLEAF
#
# A wood is empty, or has red squirrels, reds with the pox, or greys.  There are CONIFER woods of
# conifers, where reds hold out, and BROADLEAF others, where greys drive them out.  Greys carry the
# pox, and some come over the bridge.  While there is money they are trapped.  Once none is seen the
# bridge is guarded for ever and reds are released; or the money ends first, for ever.
# Source: S. P. Rushton, P. W. W. Lurz, J. Gurnell, R. Fuller, "Modelling the spatial dynamics of
# parapoxvirus disease in red and grey squirrels: a possible cause of the decline in the red
# squirrel in the UK?", Journal of Applied Ecology 37 (2000); D. M. Tompkins, A. R. White,
# M. Boots, "Ecological replacement of native red squirrels by invasive greys driven by disease",
# Ecology Letters 6 (2003).
# States: 2 C(CONIFER + 3, 3) C(BROADLEAF + 3, 3) + C(CONIFER + 2, 2) C(BROADLEAF + 2, 2):
# 30096 for 7 7, 638225 for 13 13.
# Hard: two ends, only reds or only greys, both small beside what is left for ever, and slowly.
# What goes on at the ends is seen by patrols and surveys (self-loops, meant so).
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f squirrels.awk CONIFER BROADLEAF" > "/dev/stderr"
        exit 2
    }
    woods["C"] = ARGV[1] + 0
    woods["B"] = ARGV[2] + 0
    all = woods["C"] + woods["B"]
    print "// Per year."
    print "red = 1.2; grey = 1.6; die = 0.15; cross = 0.08; release = 0.2; trap = 1.1;"
    print "pox = 2; sick = 4; well = 0.3; oust = 0.9; stop = 0.07; declare = 1;"
    habitat("C", 0.2, 0.4)
    habitat("B", 1, 1)
    print "Funded = (stop, stop).Stopped"
    print "    + (declare, declare * max(0, 1 - (GreyC + GreyB))).Guarded;"
    print "Guarded = (patrol, 12).Guarded;"
    print "Stopped = (survey, 1).Stopped;"
    print "RedC[" woods["C"] "] || RedB[" woods["B"] "] || Funded"
}

function habitat(h, loss, liking)
{
    print "Empty" h " = (redSettle" h ", red * (RedC + RedB) / " all \
        " + release * Guarded).Red" h
    print "    + (greySettle" h ", " liking " * (grey * (GreyC + GreyB) / " all \
        " + cross * (1 - Guarded))).Grey" h ";"
    print "Red" h " = (redDie" h ", die).Empty" h
    print "    + (catch" h ", pox * (0.5 * (GreyC + GreyB) + PoxC + PoxB) / " all ").Pox" h
    print "    + (oust" h ", " loss " * oust * (GreyC + GreyB) / " all ").Grey" h ";"
    print "Pox" h " = (poxDie" h ", sick).Empty" h " + (recover" h ", well).Red" h ";"
    print "Grey" h " = (greyDie" h ", die / " liking " + trap * Funded).Empty" h ";"
}
