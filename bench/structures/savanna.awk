# Trees and grass that burn together:  awk -f savanna.awk PATCHES FUEL
#
# A patch is grass, seedling, sapling or tree.  Trees scatter seeds.  Grass that dries adds to the
# fuel, up to FUEL units.  A fire burns all patches at once and takes all the fuel: a mild one kills
# seedlings and sets saplings back, a hot one, from half of the fuel in a drought, kills saplings
# too and sets trees back.  Nothing burns in a wet season; elephants fell trees.
# Source: B. Beckage, W. J. Platt, L. J. Gross, "Vegetation, fire, and feedbacks: a
# disturbance-mediated model of savannas", American Naturalist 174 (2009); A. C. Staver,
# S. A. Levin, "Integrating theoretical climate and fire effects on savanna and forest systems",
# American Naturalist 180 (2012).
# States: 3 (FUEL + 1) C(PATCHES + 3, 3): 19950 for 18 4, 702780 for 50 9.
# Hard: a fire moves the whole population at once; with many trees there is no fuel, with much grass
# no trees, and either holds for long.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 2) {
        print "usage: awk -f savanna.awk PATCHES (from 2) FUEL (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    fuel = ARGV[2] + 0
    print "// Per year."
    print "seed = 0.9; stray = 0.002; wither = 0.4; grow = 0.35; mature = 0.12; fell = 0.03;"
    print "dry = 2.5; rot = 0.3; spark = 0.8; wet = 1.8; fail = 0.1; end = 0.7;"
    print "Grass = (sprout, stray + seed * Tree / " n ").Seedling + (mild, T).Grass" \
        " + (hot, T).Grass;"
    print "Seedling = (grow, grow).Sapling + (wither, wither).Grass + (mild, T).Grass" \
        " + (hot, T).Grass;"
    print "Sapling = (mature, mature).Tree + (mild, T).Seedling + (hot, T).Grass;"
    print "Tree = (fell, fell).Grass + (mild, T).Tree + (hot, T).Sapling;"
    for (k = 0; k <= fuel; k++)
        print "Fuel" k " = " (k < fuel ? "(dry, dry * Grass / " n ").Fuel" k + 1 : "") \
            (k > 0 && k < fuel ? " + " : "") \
            (k > 0 ? "(rot, rot).Fuel" k - 1 " + (mild, spark * " k " / " fuel ").Fuel0" : "") \
            (k >= fuel / 2 ? " + (hot, spark).Fuel0" : "") ";"
    print "Wet = (toDry, wet).Dry;"
    print "Dry = (toWet, wet).Wet + (toDrought, fail).Drought + (mild, T).Dry;"
    print "Drought = (toWet, end).Wet + (mild, T).Drought + (hot, T).Drought;"
    print "(Grass[" n "]{mild, hot} <mild, hot> Fuel0) <mild, hot> Wet"
}
