# Families of models that grow with a size:  awk -f families.awk FAMILY SIZE
#   pipeline N   a pipeline of N stages on three processors: 3^N states
#   clients N    N clients and N/2 servers that break down, as P[n]
#   tandem C     a queue M/Cox2/1 that feeds a queue M/M/1, capacity C each
#   kanban T     four kanban cells with T cards each, as P[n]
#   polling N    a server that polls N stations in turn
#   cluster N    two clusters of N workstations, their switches, a line and a repairman, as P[n]
#   balanced N   the same, with workstations that fail as often all together whatever N is
#   webserver N  N readers and N writers of pages, N servers that fail, buffers for requests and
#                for pages: 3N + 3 components
#   farm N       N users of servers that read and write on disks, all as P[n]
BEGIN {
    family = ARGV[1]
    n = ARGV[2] + 0
    if (ARGC != 3 || n < 1)
        usage()
    else if (family == "pipeline")
        pipeline()
    else if (family == "clients")
        clients()
    else if (family == "tandem")
        tandem()
    else if (family == "kanban")
        kanban()
    else if (family == "polling")
        polling()
    else if (family == "cluster")
        cluster(0.002)
    else if (family == "balanced")
        cluster(0.512 / n)
    else if (family == "webserver")
        webserver()
    else if (family == "farm")
        farm()
    else
        usage()
}

function usage()
{
    print "usage: awk -f families.awk " \
        "pipeline|clients|tandem|kanban|polling|cluster|balanced|webserver|farm SIZE" > "/dev/stderr"
    exit 2
}

# x with the fewest digits that read back as x, and with a point.
function shortest(x,    digits, text)
{
    for (digits = 15; digits <= 17; digits++) {
        text = sprintf("%." digits "g", x)
        if (text + 0 == x)
            break
    }
    return text ~ /[.e]/ ? text : text ".0"
}

# before FIRST after, separator, before NEXT after, ... up to last.
function series(first, last, step, before, after, separator,    i, text)
{
    for (i = first; i <= last; i += step)
        text = text (i > first ? separator : "") before i after
    return text
}

function pipeline(    i, j, processors, choice, pipe)
{
    for (i = 1; i <= n + 1; i++)
        print "lambda" i " = " shortest(5 + i % 3) ";"
    for (i = 1; i <= n; i++)
        print "mu" i " = " shortest(sprintf("%.6f", 1 + 0.1 * i) + 0) ";"
    for (i = 1; i <= n; i++)
        print "Stage" i " = (move" i ", T).(process" i ", T).(move" i + 1 ", T).Stage" i ";"
    for (i = 1; i <= n + 1; i++)
        choice = choice (i > 1 ? " + " : "") "(move" i ", lambda" i ").Network"
    print "Network = " choice ";"
    processors = n < 3 ? n : 3
    for (j = 1; j <= processors; j++) {
        choice = ""
        for (i = j; i <= n; i += processors)
            choice = choice (i > j ? " + " : "") "(process" i ", mu" i ").Processor" j
        print "Processor" j " = " choice ";"
    }
    pipe = "Stage" n
    for (i = n - 1; i > 0; i--)
        pipe = "(Stage" i " <move" i + 1 "> " pipe ")"
    print "Network <" series(1, n + 1, 1, "move", "", ", ") "> (" pipe " <" \
        series(1, n, 1, "process", "", ", ") "> (" \
        series(1, processors, 1, "Processor", "", " || ") "))"
}

function clients()
{
    print "rr = 2.0; rd = 1.5; rt = 0.3; rb = 0.05; rf = 0.4;"
    print "Client = (request, rr).ClientWait;"
    print "ClientWait = (response, rd).ClientThink;"
    print "ClientThink = (think, rt).Client;"
    print "Server = (request, rr).ServerGet + (break, rb).ServerBroken;"
    print "ServerGet = (response, rd).Server;"
    print "ServerBroken = (fix, rf).Server;"
    print "Client[" n "] <request, response> Server[" int(n / 2) "]"
}

# The Coxian phase (a or b) of the service belongs to the state of the first queue.
function tandem(    k, down)
{
    print "lambda = " 4 * n ".0; mu1a = 0.2; mu1b = 1.8; mu2 = 2.0; kappa = 4.0;"
    print "SC0 = (arrive, lambda).SCa1;"
    for (k = 1; k <= n; k++) {
        down = k == 1 ? "SC0" : "SCa" (k - 1)
        print "SCa" k " = " (k < n ? "(arrive, lambda).SCa" (k + 1) " + " : "") \
            "(route, mu1b)." down " + (phase, mu1a).SCb" k ";"
        print "SCb" k " = " (k < n ? "(arrive, lambda).SCb" (k + 1) " + " : "") \
            "(route, mu2)." down ";"
    }
    print "SM0 = (route, T).SM1;"
    for (k = 1; k < n; k++)
        print "SM" k " = (route, T).SM" k + 1 " + (depart, kappa).SM" k - 1 ";"
    print "SM" n " = (depart, kappa).SM" n - 1 ";"
    print "SC0 <route> SM0"
}

# Cards enter cell 1, split to cells 2 and 3, join in cell 4 and leave.
function kanban(    i, j, k, rates, actions, part, enter, leave, choice, names)
{
    i = split("in1 1.0 out4 0.9 synch123 0.4 synch234 0.5 back 0.3 redo1 0.36 redo2 0.42 " \
        "redo3 0.39 redo4 0.33 ok1 0.84 ok2 0.98 ok3 0.91 ok4 0.77", rates, " ")
    for (j = 1; j < i; j += 2)
        print "r_" rates[j] " = " rates[j + 1] ";"
    split("in s1 s1 s2", enter, " ")
    split("s1 s2 s2 out", leave, " ")
    for (i = 1; i <= 4; i++) {
        print "I" i " = (" enter[i] ", T).X" i ";"
        print "X" i " = (redo" i ", T).Y" i " + (ok" i ", T).Z" i ";"
        print "Y" i " = (back" i ", T).X" i ";"
        print "Z" i " = (" leave[i] ", T).I" i ";"
    }
    choice = "(in, r_in1).Rates + (s1, r_synch123).Rates + (s2, r_synch234).Rates + " \
        "(out, r_out4).Rates"
    names = "in, s1, s2, out"
    split("redo ok back", part, " ")
    for (i = 1; i <= 4; i++)
        for (k = 1; k <= 3; k++) {
            choice = choice " + (" part[k] i ", r_" part[k] (k < 3 ? i : "") ").Rates"
            names = names ", " part[k] i
        }
    print "Rates = " choice ";"
    print "((I1[" n "] <s1> (I2[" n "] <s1, s2> I3[" n "])) <s2> I4[" n "]) <" names "> Rates"
}

function polling(    i, following, names)
{
    print "mu = 1.0; gamma = 200.0; lambda = " shortest(1 / n) ";"
    for (i = 1; i <= n; i++) {
        following = i % n + 1
        print "S" i " = (loopa" i ", gamma).S" following " + (loopb" i ", gamma).A" i ";"
        print "A" i " = (serve" i ", mu).S" following ";"
        print "Empty" i " = (loopa" i ", T).Empty" i " + (arrive" i ", lambda).Full" i ";"
        print "Full" i " = (loopb" i ", T).Full" i " + (serve" i ", T).Empty" i ";"
        names = names (i > 1 ? ", " : "") "loopa" i ", loopb" i ", serve" i
    }
    print "S1 <" names "> (" series(1, n, 1, "Empty", "", " || ") ")"
}

function cluster(wsfail,    i, k, side, part, rate, repair, choice, names)
{
    print "wsfail = " shortest(wsfail) "; switchfail = 0.00025; linefail = 0.0002;"
    split("L R", side, " ")
    split("Left Right ToLeft ToRight Line", part, " ")
    split("2.0 2.0 0.25 0.25 0.125", repair, " ")
    for (i = 1; i <= 2; i++) {
        print "W" side[i] " = (fail" side[i] ", wsfail).D" side[i] ";"
        print "D" side[i] " = (start" part[i] ", T).D" side[i] " + (repair" part[i] ", T).W" \
            side[i] ";"
    }
    for (i = 0; i < 3; i++) {
        k = part[(i + 2) % 3 + 3]
        rate = i == 0 ? "linefail" : "switchfail"
        print k " = (fail" k ", " rate ")." k "Down;"
        print k "Down = (start" k ", T)." k "Down + (repair" k ", T)." k ";"
    }
    for (i = 1; i <= 5; i++) {
        choice = choice (i > 1 ? " + " : "") "(start" part[i] ", 10.0).Repair" part[i]
        names = names (i > 1 ? ", " : "") "start" part[i] ", repair" part[i]
    }
    print "Repairman = " choice ";"
    for (i = 1; i <= 5; i++)
        print "Repair" part[i] " = (repair" part[i] ", " repair[i] ").Repairman;"
    print "(WL[" n "] || WR[" n "] || Line || ToLeft || ToRight) <" names "> Repairman"
}

# A buffer of so many places that `put` fills and `get` empties, one at a time.
function buffer(name, places, put, get,    k)
{
    for (k = 0; k <= places; k++)
        print name k " = " (k < places ? "(" put ", T)." name k + 1 : "") \
            (k > 0 && k < places ? " + " : "") (k > 0 ? "(" get ", T)." name k - 1 : "") ";"
}

# A failed server is repaired, or started again with all others once all have failed.  After the
# web server of the PEPA project's examples, with rates and details of its own.
function webserver(    k)
{
    print "rthink = 0.8; rask = 5.0; rcompose = 0.5; rpost = 4.0; rfetch = 6.0; rlook = 2.5;"
    print "rtake = 6.0; rstore = 1.5; rfail = 0.01; rrepair = 0.5; rreboot = 0.2;"
    print "Reader = (think, rthink).ReaderAsk;"
    print "ReaderAsk = (ask, rask).ReaderWait;"
    print "ReaderWait = (answer, T).Reader;"
    print "Writer = (compose, rcompose).WriterPost;"
    print "WriterPost = (post, rpost).Writer;"
    buffer("Asked", int((n + 1) / 2), "ask", "fetch")
    buffer("Posted", n + 1, "post", "take")
    print "Server = (fetch, rfetch).ServerRead + (take, rtake).ServerWrite + (fail, rfail).Failed;"
    print "ServerRead = (answer, rlook).Server;"
    print "ServerWrite = (store, rstore).Server;"
    print "Failed = (repair, T).Server + (reboot, T).Server;"
    for (k = 0; k < n; k++)
        print "Down" k " = (fail, T).Down" k + 1 (k > 0 ? " + (repair, rrepair).Down" k - 1 : "") ";"
    print "Down" n " = (reboot, rreboot).Down0;"
    print "(Reader[" n "] || Writer[" n "]) <ask, answer, post> ((Asked0 || Posted0) <fetch, take> " \
        "(Server[" n "]{reboot} <fail, repair, reboot> Down0))"
}

function farm()
{
    print "User = (think, 0.2).Ready; Ready = (submit, 3).Waiting; Waiting = (answer, 3).User;"
    print "Server = (submit, T).Busy; Done = (answer, T).Server;"
    print "Busy = (work, 4).Done + (read, 2).Busy + (write, 1).Busy;"
    print "Disk = (read, 2).Moved + (write, 1).Moved; Moved = (turn, 5).Hot;"
    print "Hot = (read, 9).Disk + (cool, 1).Disk;"
    print "User[" n "] <submit, answer> Server[" int(0.3 * n) "] <read, write> Disk[" int(0.5 * n) "]"
}
