# Cases in a workflow of random form, and the people who do the work:
#   awk -f workflow.awk SEED ACTIVITIES CASES
#
# The workflow is a tree: its blocks are one after the other, both at once, one or the other, or one
# with a return to it, down to ACTIVITIES activities.  CASES cases are under way; a new one begins
# when one ends.  Each activity belongs to one of three people, who are away now and then.
# Source: W. M. P. van der Aalst, "The application of Petri nets to workflow management", Journal of
# Circuits, Systems and Computers 8 (1998).
# States: 32032 for 3 9 4, 881664 for 1 8 6.
# Easy: a closed network of counters for the cases between two activities; a person who
# has work of several kinds does any of it.
BEGIN {
    if (ARGC != 4 || ARGV[2] < 2 || ARGV[3] < 1) {
        print "usage: awk -f workflow.awk SEED ACTIVITIES (from 2) CASES" > "/dev/stderr"
        exit 2
    }
    seed = 4711 * ARGV[1] + 17
    cases = ARGV[3] + 0
    for (i = 0; i < 10; i++)
        draw(2)
    places = 2
    block(1, 2, ARGV[2] + 0)
    engine("renew", 20)
    arc(2, "renew", 1)
    for (p = 1; p <= places; p++) {
        for (k = 0; k <= cases; k++) {
            text = ""
            if (k < cases)
                text = text adds(into[p], p, k + 1)
            if (k > 0)
                text = text adds(from[p], p, k - 1)
            print "Place" p "_" k " = " substr(text, 4) ";"
        }
        net = net (p > 1 ? " <*> " : "") "Place" p "_" (p == 1 ? cases : 0)
    }
    print "Engine = " substr(engines, 4) ";"
    for (w = 0; w < 3; w++)
        if (w in duty) {
            print "Works" w " = " substr(duty[w], 4) " + (leave" w ", 0.0" 2 + draw(5) \
                ").Away" w ";"
            print "Away" w " = (return" w ", 0." 2 + draw(5) ").Works" w ";"
            people = people " || Works" w
        }
    print "(" net ") <*> (Engine" people ")"
}

# From place p to place q, with so many activities.
function block(p, q, many,    first, kind, a, b, c, d, id)
{
    if (many == 1) {
        activities++
        kind = draw(3)
        duty[kind] = duty[kind] " + (do" activities ", " 1 + draw(8) ").Works" kind
        arc(p, "do" activities, q)
        return
    }
    first = 1 + draw(many - 1)
    kind = many == ARGV[2] ? 0 : draw(8)
    if (kind < 3) {
        a = ++places
        block(p, a, first)
        block(a, q, many - first)
    } else if (kind < 5) {
        a = ++places; b = ++places; c = ++places; d = ++places
        id = ++forks
        engine("fork" id, 20)
        arc(p, "fork" id, a)
        into[b] = into[b] " fork" id
        block(a, c, first)
        block(b, d, many - first)
        engine("join" id, 20)
        arc(c, "join" id, q)
        from[d] = from[d] " join" id
    } else if (kind < 7) {
        block(p, q, first)
        block(p, q, many - first)
    } else {
        # The second part leads back, for one case in five or so.
        a = ++places; b = ++places
        block(p, a, first)
        id = ++loops
        engine("pass" id, 16)
        arc(a, "pass" id, q)
        engine("again" id, 4)
        arc(a, "again" id, b)
        block(b, p, many - first)
    }
}

function arc(p, action, q)
{
    from[p] = from[p] " " action
    into[q] = into[q] " " action
}

function engine(action, rate)
{
    engines = engines " + (" action ", " rate ").Engine"
}

function adds(list, p, k,    many, action, i, text)
{
    many = split(list, action, " ")
    for (i = 1; i <= many; i++)
        text = text " + (" action[i] ", T).Place" p "_" k
    return text
}

# Multiplicative congruential numbers with an increment, exact in every awk: whole from 0 to below
# high.
function draw(high)
{
    seed = (seed * 69069 + 12345) % 4294967296
    return int(seed / 4294967296 * high)
}
