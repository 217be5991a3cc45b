# Vesicles and receptors of a synapse under trains of spikes:  awk -f synapse.awk VESICLES RECEPTORS
#
# A vesicle is in reserve, docked, primed, or spent and recycled.  Each spike lets calcium in; the
# more of it, the sooner primed vesicles fuse, by its fourth power.  Transmitter in the cleft opens
# receptors, which also go to sleep.  Spikes come regularly in trains, with silence between.
# Source: R. S. Zucker, W. G. Regehr, "Short-term synaptic plasticity", Annual Review of Physiology
# 64 (2002); A. Destexhe, Z. F. Mainen, T. J. Sejnowski, "Synthesis of models for excitable
# membranes, synaptic transmission and neuromodulation using a common kinetic formalism", Journal of
# Computational Neuroscience 1 (1994).
# States: 5 (trains) 4 (calcium) 5 (cleft) C(VESICLES + 3, 3) C(RECEPTORS + 2, 2): 35000 for 4 3,
# 616000 for 9 6.
# Calcium and transmitter saturate (self-loops, meant so).
# Hard: from the cleft, cleared in less than a millisecond, to vesicles recycled in half a minute;
# everything is idle most of the time.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f synapse.awk VESICLES RECEPTORS" > "/dev/stderr"
        exit 2
    }
    vesicles = ARGV[1] + 0
    receptors = ARGV[2] + 0
    calcium = 3
    cleft = 4
    print "// Per second."
    print "spike = 50; rest = 2; wake = 0.2; pump = 60; fuse = 5; leak = 0.01;"
    print "dock = 0.8; prime = 5; undock = 0.3; recycle = 0.04; clear = 2000; open = 1500;"
    print "shut = 200; sleep = 40; rouse = 3;"
    # Between two spikes of a train, four stages.
    for (k = 1; k <= 4; k++)
        print "Train" k " = (" (k < 4 ? "pass" : "spike") ", 4 * spike).Train" k % 4 + 1 \
            (k == 1 ? " + (rest, rest).Silent" : "") ";"
    print "Silent = (wake, wake).Train4;"
    for (k = 0; k <= calcium; k++) {
        print "Calcium" k " = (spike, T).Calcium" (k < calcium ? k + 1 : k) \
            (k > 0 ? " + (pump, " k " * pump).Calcium" k - 1 : "") ";"
        if (k > 0)
            high = high (k > 1 ? " + " : "") k ^ 4 " * Calcium" k
    }
    print "Reserve = (dock, dock).Docked;"
    print "Docked = (prime, prime).Primed + (undock, undock).Reserve;"
    print "Primed = (release, leak + fuse * (" high ")).Spent;"
    print "Spent = (recycle, recycle).Reserve;"
    for (k = 0; k <= cleft; k++) {
        print "Cleft" k " = (release, T).Cleft" (k < cleft ? k + 1 : k) \
            (k > 0 ? " + (clear, " k " * clear).Cleft" k - 1 : "") ";"
        if (k > 0)
            filled = filled (k > 1 ? " + " : "") k " * Cleft" k
    }
    print "Shut = (open, open * (" filled ")).Open;"
    print "Open = (shut, shut).Shut + (sleep, sleep).Asleep;"
    print "Asleep = (rouse, rouse).Shut;"
    print "((Train1 <spike> Calcium0) || (Reserve[" vesicles "] <release> Cleft0)) || Shut[" \
        receptors "]"
}
