# Blood that ages, is held for patients and used or given back:  awk -f bloodbank.awk O A
#
# O, A: units of two groups.  A unit is on order, fresh, good, old or held for a patient; an old one
# expires.  Old units are taken first.  Blood is delivered on working days only, and less is needed
# on Saturday and Sunday.  The less of group A is there, the more patients of it get group O.
# Source: S. Nahmias, "Perishable inventory theory: a review", Operations Research 30 (1982);
# G. P. Prastacos, "Blood inventory management: an overview of theory and practice", Management
# Science 30 (1984).
# States: 7 C(O + 4, 4) C(A + 4, 4): 34300 for 4 4, 727650 for 8 6.
# Hard: the week is a ring of seven days that drives both populations of five local states; units
# are chosen by weights over two decades.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f bloodbank.awk O A" > "/dev/stderr"
        exit 2
    }
    print "age = 0.1; expire = 0.1; deliver = 0.5; decide = 0.7; used = 0.5;  // per day"
    print "needO = " 0.25 * ARGV[1] "; needA = " 0.3 * ARGV[2] ";"
    units("O")
    units("A")
    for (d = 1; d <= 7; d++) {
        need = d > 5 ? "0.3 * " : ""
        print "Day" d " = (night, 1).Day" d % 7 + 1 " + (holdA, " need "needA).Day" d
        print "    + (holdO, " need "(needO + needA * pow(0.2, FreshA + GoodA + OldA))).Day" d \
            (d > 5 ? "" : " + (deliver, T).Day" d) ";"
    }
    print "(OrderO[" ARGV[1] "] || OrderA[" ARGV[2] "]) <holdO, holdA, deliver> Day1"
}

function units(g)
{
    print "Order" g " = (deliver, deliver).Fresh" g ";"
    print "Fresh" g " = (age" g ", age).Good" g " + (hold" g ", T).Held" g ";"
    print "Good" g " = (age" g ", age).Old" g " + (hold" g ", 10 * T).Held" g ";"
    print "Old" g " = (expire" g ", expire).Order" g " + (hold" g ", 100 * T).Held" g ";"
    print "Held" g " = (use" g ", used * decide).Order" g
    print "    + (giveBack" g ", (1 - used) * decide).Good" g ";"
}
