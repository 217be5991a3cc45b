# Particles that each stay long in one of two wells:  awk -f wells.awk PLACES RATIO PARTICLES
#
# Each walks on a line of PLACES, which it leaves for either neighbour; below 0.45 of its length steps down are RATIO times
# as quick as those up, above it steps up, but for the first and the last tenth.
# Source: H. A. Kramers, "Brownian motion in a field of force and the diffusion model of chemical reactions", Physica 7 (1940).
# States: (PLACES + 1)^PARTICLES: 68921 for 40 8 3.
# Hard: all begin in the lower wells, which sweeps leave after some RATIO^(PLACES / 3) steps, although no step is rare; the
# upper wells hold nearly all, and the particles are independent, so that the answer is known.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f wells.awk PLACES RATIO PARTICLES" > "/dev/stderr"
        exit 2
    }
    places = ARGV[1] + 0
    ratio = ARGV[2] + 0
    for (c = 0; c < ARGV[3]; c++) {
        for (i = 0; i <= places; i++) {
            x = i / places
            flat = x < 0.1 || x > 0.9
            up = flat || x < 0.45 ? 1 : ratio
            down = flat || x >= 0.45 ? 1 : ratio
            printf "X%d_%d = ", c, i
            if (i < places)
                printf "(up%d, %g).X%d_%d", c, up, c, i + 1
            if (i > 0)
                printf "%s(down%d, %g).X%d_%d", i < places ? " + " : "", c, down, c, i - 1
            print ";"
        }
        all = all (c > 0 ? " || " : "") "X" c "_0"
    }
    print all
}
