# Grass, hares and lynxes on patches:  awk -f foodchain.awk GRASS HARES LYNXES
#
# A patch of each kind is empty or taken.  Grass spreads; a hare eats grass and has young in one
# step, a lynx eats hares likewise.  Hares and lynxes die; a few of all come from outside.
# Source: A. J. McKane, T. J. Newman, "Predator-prey cycles from resonant amplification of
# demographic stochasticity", Physical Review Letters 94 (2005); A. Hastings, T. Powell, "Chaos in
# a three-species food chain", Ecology 72 (1991).
# States: (GRASS + 1) (HARES + 1) (LYNXES + 1): 29791 for 30 30 30, 531441 for 80 80 80.
# Hard: the numbers go round in cycles, often near extinction; all rates depend on other components.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f foodchain.awk GRASS HARES LYNXES" > "/dev/stderr"
        exit 2
    }
    print "grass = " ARGV[1] "; hares = " ARGV[2] "; lynxes = " ARGV[3] ";"
    print "seed = 0.01; stray = 0.001; spread = 3; graze = 4; hunt = 2; die = 0.5; starve = 0.3;"
    print "Bare = (grow, seed + spread * Grass / grass).Grass;"
    print "Grass = (graze, graze * Hare / hares).Bare;"
    print "NoHare = (graze, T).Hare + (comeHare, stray).Hare;"
    print "Hare = (die, die).NoHare + (hunt, hunt * Lynx / lynxes).NoHare;"
    print "NoLynx = (hunt, T).Lynx + (comeLynx, stray).Lynx;"
    print "Lynx = (starve, starve).NoLynx;"
    print "Bare[grass] <graze> NoHare[hares] <hunt> NoLynx[lynxes]"
}
