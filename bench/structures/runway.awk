# One runway for heavy and light aircraft that land and take off:  awk -f runway.awk HOLDING TAXIWAY
#
# At most HOLDING heavy and as many light aircraft circle, others are sent elsewhere; TAXIWAY
# aircraft can wait to take off.  Landings go first unless the taxiway is full.  After a heavy one
# the air must settle.  Twice a day more land, and then more take off.  Low cloud slows all, fog
# stops all; now and then the runway is swept for birds.
# Source: A. R. Odoni, "The flow management problem in air traffic control", in "Flow Control of
# Congested Networks" (1987); A. Blumstein, "The landing capacity of a runway", Operations Research
# 7 (1959); R. de Neufville, A. R. Odoni, "Airport Systems: Planning, Design, and Management"
# (2003).
# States: 60 (HOLDING + 1)^2 (TAXIWAY + 1): 29400 for 6 9, 322560 for 15 20.
# Aircraft sent away leave all as it is (self-loops, meant so).
# Easy: three queues and one server; but fog comes once in a week and fills them all.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f runway.awk HOLDING TAXIWAY" > "/dev/stderr"
        exit 2
    }
    room = ARGV[1] + 0
    taxi = ARGV[2] + 0
    print "// Per minute."
    print "heavy = 0.06; light = 0.14; leave = 0.2; call = 15; bank = 0.0028;"
    print "wake = 0.45; roll = 0.95; climb = 1.1; birds = 0.0008; swept = 0.07;"
    print "cloud = 0.0005; fog = 0.0004; lift = 0.002; burn = 0.005;"
    for (k = 0; k <= room; k++) {
        queue("Heavy", "landHeavy", k, room)
        queue("Light", "landLight", k, room)
    }
    for (k = 0; k <= taxi; k++)
        queue("Taxi", "takeOff", k, taxi)
    see = "call * (1 - Fog)"
    print "Clear = (landHeavy, " see ").Wake + (landLight, " see ").Roll"
    print "    + (takeOff, " see " * max(Heavy0 * Light0, Taxi" taxi ")).Climb"
    print "    + (birds, birds).Sweeping;"
    print "Wake = (vacate, wake * (1 - 0.4 * Cloud)).Clear;"
    print "Roll = (vacate, roll * (1 - 0.4 * Cloud)).Clear;"
    print "Climb = (vacate, climb * (1 - 0.4 * Cloud)).Clear;"
    print "Sweeping = (swept, swept).Clear;"
    print "Fair = (cloud, cloud).Cloud;"
    print "Cloud = (lift, lift).Fair + (fog, fog).Fog;"
    print "Fog = (burn, burn).Cloud;"
    for (b = 1; b <= 4; b++) {
        wave = b % 2 ? 1.3 : 0.7
        print "Bank" b " = (comeHeavy, " wave " * heavy).Bank" b " + (comeLight, " wave \
            " * light).Bank" b "\n    + (comeTaxi, " 2 - wave " * leave).Bank" b \
            " + (bank, bank).Bank" b % 4 + 1 ";"
    }
    print "((Heavy0 || Light0 || Taxi0) <landHeavy, landLight, takeOff> Clear)"
    print "    <comeHeavy, comeLight, comeTaxi> Bank1 || Fair"
}

function queue(name, serve, k, most)
{
    print name k " = (come" name ", T)." name (k < most ? k + 1 : k) \
        (k > 0 ? " + (" serve ", T)." name k - 1 : "") ";"
}
