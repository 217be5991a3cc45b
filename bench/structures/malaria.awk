# Malaria between a hamlet and its mosquitoes over the year:  awk -f malaria.awk PEOPLE MOSQUITOES
#
# A person is well, has parasites in the liver, is ill, or is immune for a while, though still a
# little infectious.  A mosquito is clean, or the parasite ripens in it, or it infects; one that
# dies is replaced by a clean one.  They bite much in the two stages of the rains and seldom in
# those of the dry season.  Travellers bring a case now and then.
# Source: G. Macdonald, "The Epidemiology and Control of Malaria" (1957); K. Dietz, L. Molineaux,
# A. Thomas, "A malaria model tested in the African savannah", Bulletin of the World Health
# Organization 50 (1974).
# States: 4 C(PEOPLE + 3, 3) C(MOSQUITOES + 2, 2): 51480 for 10 8, 963424 for 20 15.
# Easy: the season drives all, rates in three decades and smooth.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f malaria.awk PEOPLE MOSQUITOES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    m = ARGV[2] + 0
    print "// Per day."
    print "bite = 0.4; travel = 0.0005; break_out = 0.08; recover = 0.03; lose = 0.004;"
    print "ripen = 0.09; die = 0.1; stage = " 4 / 365 ";"
    print "Well = (infect, travel + bite * (Rains1 + Rains2 + 0.05) * 3 * Infective / " n ").Liver;"
    print "Liver = (break_out, break_out).Ill;"
    print "Ill = (recover, recover).Immune;"
    print "Immune = (lose, lose).Well;"
    print "Clean = (feed, bite * (Rains1 + Rains2 + 0.05) * (Ill + 0.1 * Immune) / " n ").Ripening;"
    print "Ripening = (ripen, ripen).Infective + (die, die).Clean;"
    print "Infective = (die, die).Clean;"
    print "Dry1 = (stage, stage).Dry2;\nDry2 = (stage, stage).Rains1;"
    print "Rains1 = (stage, stage).Rains2;\nRains2 = (stage, stage).Dry1;"
    print "Well[" n "] || Clean[" m "] || Dry1"
}
