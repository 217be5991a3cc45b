# The lac operon, which holds itself on by the permease it makes:  awk -f lac.awk PERMEASE INDUCER
#
# The operator is looped, held by the repressor, or free.  Free, it is transcribed; held, hardly
# ever.  Up to four messages are translated into permease, at most PERMEASE of it, which is diluted
# as the cell grows.  Permease takes in inducer, at most INDUCER (in hundreds of molecules), which
# leaks out again; two of it take the repressor off, and keep it off.  As much is outside as lets a
# cell be in either state.
# Source: A. Novick, M. Weiner, "Enzyme induction as an all-or-none phenomenon", Proceedings of the
# National Academy of Sciences 43 (1957); E. M. Ozbudak, M. Thattai, H. N. Lim, B. I. Shraiman,
# A. van Oudenaarden, "Multistability in the lactose utilization network of Escherichia coli",
# Nature 427 (2004).
# States: 15 (PERMEASE + 1) (INDUCER + 1): 25215 for 40 40, 455265 for 150 200.
# Hard: either on or off for days, while messages live for minutes and loops for seconds.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f lac.awk PERMEASE INDUCER" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    m = ARGV[2] + 0
    print "// Per minute.  half: inducer that halves the repressor."
    print "half = " m / 6 "; bind = 2; leave = 0.1; loop = 5; unloop = 0.5;"
    print "transcribe = 0.4; slip = 0.0005; decay = 0.4; dilute = 0.015;"
    print "translate = " n * 0.012 "; out = 0.2; seep = " m * 0.02 "; pump = " 0.2 * m / n ";"
    print "Looped = (unloop, unloop).Held;"
    print "Held = (loop, loop / (1 + pow(Inside / half, 2))).Looped"
    print "    + (leave, leave * (1 + pow(Inside / half, 2))).Free + (copy, slip).Held;"
    print "Free = (bind, bind / (1 + pow(Inside / half, 2))).Held + (copy, transcribe).Free;"
    for (k = 0; k <= 4; k++)
        print "Message" k " = " (k < 4 ? "(copy, T).Message" k + 1 : "") (k > 0 && k < 4 ? " + " \
            : "") \
            (k > 0 ? "(translate, " k " * translate).Message" k \
            " + (decay, " k " * decay).Message" k - 1 : "") ";"
    print "Absent = (translate, T).Present;\nPresent = (dilute, dilute).Absent;"
    print "Outside = (enter, T).Inside;\nInside = (out, out).Outside;"
    print "Membrane = (enter, seep + pump * Present).Membrane;"
    print "((Looped <copy> Message0) <translate> Absent[" n "]) || (Membrane <enter> Outside[" m \
        "])"
}
