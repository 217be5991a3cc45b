# Fires in the districts of a town that tie up its engines:  awk -f fires.awk DISTRICTS ENGINES
#
# A district has no fire, or a small one, a house, or a block on fire.  A fire grows, in wind the
# faster, and the less the more engines are there; it is fought down by those.  Engines that are
# ready come one by one, up to one more than the fire has steps.  A block on fire sets the next
# district on fire, or burns out.  When the fire is out the engines go back and are made ready.
# Source: A. J. Swersey, "The deployment of police, fire, and emergency medical units", in Handbooks
# in Operations Research and Management Science 6 (1994); P. Kolesar, W. E. Walker, "An algorithm
# for the dynamic relocation of fire companies", Operations Research 22 (1974).
# States: 2 times the ways to share ENGINES engines: those ready, those being made ready and, in
# each district, 0 to 4 by four sizes of fire: 15744 for 3 5, 362496 for 4 7.
# Hard: a fire that finds no engine grows and needs more of them; alarms are hours apart, engines
# take minutes.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f fires.awk DISTRICTS ENGINES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    engines = ARGV[2] + 0
    print "// Per hour."
    print "drive = 8; roll = 3; refit = 1; grow = 3; fight = 2.5; spread = 0.8; burn = 0.3;"
    print "rise = 0.02; drop = 0.1;"
    for (i = 1; i <= n; i++) {
        print "alarm" i " = " 0.05 * (1 + i % 3) ";"
        for (s = 0; s <= 3; s++)
            for (e = 0; e <= 4; e++)
                district()
        ready = ready (i > 1 ? " + " : "") "(send" i ", drive).Out"
        out = out (i > 1 ? " + " : "") "(back" i ", T).Refit"
        town = town (i > 1 ? " <spread" i - 1 "> " : "") "Fire" i "_0_0"
    }
    print "Ready = " ready ";\nOut = " out ";\nRefit = (refit, refit).Ready;"
    print "Still = (rise, rise).Wind;\nWind = (drop, drop).Still;"
    print "((" town ") <*> Ready[" engines "]) || Still"
}

function district(    text, here)
{
    here = "Fire" i "_"
    if (s == 0) {
        if (e == 0)
            text = " + (alarm" i ", alarm" i ")." here "1_0"
        else
            text = " + (back" i ", " e " * roll)." here "0_" e - 1 " + (alarm" i ", alarm" i ")." \
                here "1_" e
        if (i > 1)
            text = text " + (spread" i - 1 ", T)." here "1_" e
    } else {
        if (s < 3)
            text = text " + (grow" i ", grow * (1 + 3 * Wind) / " (1 + e)^2 ")." here s + 1 "_" e
        if (e > 0)
            text = text " + (fight" i ", fight * " e " / " s ")." here s - 1 "_" e
        if (e <= s)
            text = text " + (send" i ", T)." here s "_" e + 1
        if (s == 3) {
            text = text " + (burn" i ", burn)." here "0_" e
            if (i < n)
                text = text " + (spread" i ", spread)." here s "_" e
        }
    }
    print here s "_" e " = " substr(text, 4) ";"
}
