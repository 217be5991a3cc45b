# A clinical trial that ends when one treatment leads:  awk -f trial.awk BOUND BEDS
#
# Patients come to a clinic of BEDS beds and get treatment A or B, rather the one that has done
# better (play the winner).  A success puts a treatment one ahead, a failure one behind.  When one
# leads by BOUND the trial is over and all later patients get it.
# Source: L. J. Wei, S. Durham, "The randomized play-the-winner rule in medical trials", Journal of
# the American Statistical Association 73 (1978); P. Armitage, "Sequential Medical Trials" (1975).
# States: (2 BOUND + 1) C(BEDS + 3, 3) - 2: 55078 for 40 14, 355969 for 100 20.
# Hard: two bottom components, one for each treatment, of which one is reached by chance; A is just
# a little better, so the trial lasts for thousands of patients.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f trial.awk BOUND BEDS" > "/dev/stderr"
        exit 2
    }
    bound = ARGV[1] + 0
    beds = ARGV[2] + 0
    print "come = " 0.08 * beds "; treat = 0.1; clean = 1; a = 0.51; b = 0.5;  // per day"
    print "Bed = (giveA, T).WithA + (giveB, T).WithB;"
    print "WithA = (goodA, a * treat).Used + (badA, (1 - a) * treat).Used;"
    print "WithB = (goodB, b * treat).Used + (badB, (1 - b) * treat).Used;"
    print "Used = (clean, clean).Bed;"
    for (k = -bound; k <= bound; k++) {
        share = (bound + k) / (2 * bound)
        up = lead(k == -bound || k == bound ? k : k + 1)
        down = lead(k == -bound || k == bound ? k : k - 1)
        print lead(k) " = " (k > -bound ? "(giveA, " share " * come)." lead(k) : "") \
            (k > -bound && k < bound ? " + " : "") \
            (k < bound ? "(giveB, " 1 - share " * come)." lead(k) : "")
        print "    + (goodA, T)." up " + (badB, T)." up
        print "    + (badA, T)." down " + (goodB, T)." down ";"
    }
    print "Bed[" beds "] <giveA, giveB, goodA, badA, goodB, badB> " lead(0)
}

# How far A is ahead.
function lead(k)
{
    return k < 0 ? "Behind" (-k) : "Ahead" k
}
