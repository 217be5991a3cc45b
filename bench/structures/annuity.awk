# A closed fund that pays for the care of its members until the last has died:
#   awk -f annuity.awk MEMBERS FUND
#
# Each of MEMBERS members is well and pays, is frail and draws a little, is in care and draws much,
# or has died.  The fund holds at most FUND units, half of it at first, and earns on behalf of each
# who lives, when the market is good.  Once empty it is wound up and pays no more.  The more are in
# care, the longer a frail member waits for a place.
# Source: S. Haberman, E. Pitacco, "Actuarial Models for Disability Insurance" (1999).
# States: 2 C(MEMBERS + 3, 3) (FUND + 1): 23452 for 10 40, 707850 for 24 120.
# Hard: what is left, nothing to everything, is FUND + 1 separate ends, which chance decides between
# over forty years, while units come and go by the month.  Self-loops are meant.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 2) {
        print "usage: awk -f annuity.awk MEMBERS FUND (from 2)" > "/dev/stderr"
        exit 2
    }
    fund = ARGV[2] + 0
    print "premium = 0.5; draw = 0.3; care = 3; earn = 0.2;"
    print "Well = (premium, premium).Well + (earn, earn).Well + (weaken, 0.08).Frail"
    print "    + (die, 0.01).Dead;"
    print "Frail = (draw, draw).Frail + (earn, earn).Frail + (recover, 0.15).Well"
    print "    + (admit, 0.4 / (1 + 0.2 * InCare)).InCare + (die, 0.05).Dead;"
    print "InCare = (draw, care).InCare + (earn, earn).InCare + (discharge, 0.05).Frail"
    print "    + (die, 0.3).Dead;"
    print "Dead = (remember, 0.01).Dead;"
    print "Good = (earn, T).Good + (fall, 0.2).Poor;"
    print "Poor = (rise, 0.4).Good;"
    print "Wound = (premium, T).Wound + (draw, T).Wound + (earn, T).Wound;"
    for (k = 1; k <= fund; k++) {
        up = "Fund" (k < fund ? k + 1 : k)
        print "Fund" k " = (premium, T)." up " + (earn, T)." up " + (draw, T)." \
            (k > 1 ? "Fund" k - 1 : "Wound") ";"
    }
    print "Well[" ARGV[1] + 0 "] <premium, draw, earn> (Fund" int(fund / 2) " <earn> Good)"
}
