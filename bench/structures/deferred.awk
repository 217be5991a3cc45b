# A mail relay whose queue fills with mail for sites that are down:
#   awk -f deferred.awk SITES ACTIVE DEFERRED
#
# Mail for each of SITES sites enters the active queue, of ACTIVE places for all of them together.
# To a site that is up it is delivered, over a few connections at once; to one that is down each
# attempt ends by a timeout and the mail is deferred.  What is deferred, at most DEFERRED per site,
# is tried again after a while or, after days, returned; if there is no room it is returned at once.
# Source: J. Klensin, "Simple Mail Transfer Protocol", RFC 5321 (2008); K. D. Dent, "Postfix: The
# Definitive Guide" (2003).
# States: C(ACTIVE + SITES, SITES) (2 (DEFERRED + 1))^SITES: 33264 for 2 20 5, 455000 for 3 12 4.
# Hard: sites go down once in several days, mail is delivered in seconds, and while one is down all
# share the places it leaves.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f deferred.awk SITES ACTIVE DEFERRED" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    active = ARGV[2] + 0
    later = ARGV[3] + 0
    print "timeout = 0.0033; retry = 0.0011; expire = 2.3e-6;"
    for (i = 1; i <= n; i++) {
        print "send" i " = " 0.8 / i "; deliver" i " = " 0.5 / i ";"
        print "crash" i " = " 1e-6 * i "; repair" i " = " 0.0001 / i ";"
        print "Up" i " = (deliver" i ", T).Up" i " + (crash" i ", crash" i ").Down" i ";"
        print "Down" i " = (fail" i ", T).Down" i " + (repair" i ", repair" i ").Up" i ";"
        for (k = 0; k <= active; k++) {
            lines = k < 4 ? k : 4
            text = ""
            if (k < active)
                text = " + (send" i ", send" i ").Mail" i "_" k + 1 \
                    " + (retry" i ", T).Mail" i "_" k + 1
            if (k > 0)
                text = text "\n    + (deliver" i ", " lines " * deliver" i ").Mail" i "_" k - 1 \
                    " + (fail" i ", " lines " * timeout).Mail" i "_" k - 1
            sub(/^[ \n]*\+ /, "", text)
            print "Mail" i "_" k " = " text ";"
        }
        for (k = 0; k <= later; k++)
            print "Later" i "_" k " = (fail" i ", T).Later" i "_" (k < later ? k + 1 : k) \
                (k > 0 ? " + (retry" i ", " k " * retry).Later" i "_" k - 1 \
                " + (expire, " k " * expire).Later" i "_" k - 1 : "") ";"
        bar = i > 1 ? ", " : ""
        shared = shared bar "send" i ", retry" i ", deliver" i ", fail" i
        in_ = in_ " + (send" i ", T).PlacesNEXT + (retry" i ", T).PlacesNEXT"
        out = out " + (deliver" i ", T).PlacesLAST + (fail" i ", T).PlacesLAST"
        sites = sites (i > 1 ? "\n    || " : "") "(Mail" i "_0 <deliver" i ", fail" i ", retry" i \
            "> (Up" i " <fail" i "> Later" i "_0))"
    }
    for (k = 0; k <= active; k++) {
        text = (k < active ? in_ : "") (k > 0 ? out : "")
        gsub(/NEXT/, k + 1, text)
        gsub(/LAST/, k - 1, text)
        print "Places" k " = " substr(text, 4) ";"
    }
    print "(" sites ")\n<" shared "> Places0"
}
