# A worm in the three networks of a plant, one behind the other:
#   awk -f subnets.awk FRONT OFFICE PLANT
#
# FRONT servers face the internet, OFFICE computers are behind a firewall, PLANT controllers behind
# another.  A computer is weak, infected, isolated or patched; patches grow stale.  The infected
# ones scan their own network fast and the next one, through the firewall, hardly ever.  They scan
# ten times slower while their command server is dark.
# Source: J. O. Kephart, S. R. White, "Directed-graph epidemiological models of computer viruses",
# IEEE Symposium on Security and Privacy 1991; C. C. Zou, W. Gong, D. Towsley, "Code Red worm
# propagation modeling and analysis", ACM Conference on Computer and Communications Security 2002.
# States: 2 C(FRONT + 3, 3) C(OFFICE + 3, 3) C(PLANT + 3, 3): 39200 for 2 5 4, 646800
# for 4 8 5.
# Hard: in each network an outbreak takes hours; from one network to the next it takes months.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f subnets.awk FRONT OFFICE PLANT" > "/dev/stderr"
        exit 2
    }
    print "// Per hour."
    print "scan = 1.5; dark = 0.1; takedown = 5e-4; move = 4e-3;"
    network("Front", ARGV[1], "0.02", 0.01, 0.3, 0.5, 0.01)
    network("Office", ARGV[2], "2e-4 * InfectedFront", 5e-3, 0.4, 0.2, 5e-3)
    network("Plant", ARGV[3], "3e-6 * InfectedOffice", 0.001, 0.02, 0.05, 1e-3)
    print "Live = (takedown, takedown).Dark;\nDark = (move, move).Live;"
    print "WeakFront[" ARGV[1] "] || PatchedOffice[" ARGV[2] "] || PatchedPlant[" ARGV[3] \
        "] || Live"
}

# A network of n computers, that something from outside infects at the given rate each.
function network(name, n, outside, patch, detect, clean, stale)
{
    print "Weak" name " = (infect" name ", (dark + (1 - dark) * Live) * (scan * Infected" name \
        " / " n " + " outside ")).Infected" name \
        "\n    + (patch" name ", " patch ").Patched" name ";"
    print "Infected" name " = (detect" name ", " detect ").Isolated" name ";"
    print "Isolated" name " = (clean" name ", " clean ").Patched" name ";"
    print "Patched" name " = (stale" name ", " stale ").Weak" name ";"
}
