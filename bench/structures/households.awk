# An epidemic without immunity among households of three:  awk -f households.awk HOUSEHOLDS
#
# A household has none to three members infected.  They infect each other fast and anyone slowly;
# they recover and can be infected again.  Few cases come from outside.
# Source: F. Ball, D. Mollison, G. Scalia-Tomba, "Epidemics with two levels of mixing", Annals of
# Applied Probability 7 (1997); R. M. Anderson, R. M. May, "Infectious Diseases of Humans" (1991).
# States: C(HOUSEHOLDS + 3, 3): 39711 for 60, 585276 for 150.
# Hard: near the threshold, and with so few cases from outside, the disease dies out and comes back
# after long times; rates depend on the whole population.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f households.awk HOUSEHOLDS" > "/dev/stderr"
        exit 2
    }
    print "n = " ARGV[1] "; within = 0.8; recover = 1; outside = 1e-4; global = 0.2;"
    force = "(outside + global * (H1 + 2 * H2 + 3 * H3) / n)"
    print "H0 = (infect, 3 * " force ").H1;"
    print "H1 = (infect, 2 * (within + " force ")).H2 + (recover, recover).H0;"
    print "H2 = (infect, 2 * within + " force ").H3 + (recover, 2 * recover).H1;"
    print "H3 = (recover, 3 * recover).H2;"
    print "H0[n]"
}
