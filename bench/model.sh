#!/bin/sh
# model.sh FAMILY SIZE: print a model of a family that grows with SIZE.
#   pipeline N  a pipeline of N stages on three processors: 3^N states
#   clients N   N clients and N/2 servers that break, counted
#   tandem C    an M/M/1 queue of capacity C that feeds another: (C+1)^2 states
set -eu
family=$1
n=$2
case $family in
pipeline)
    awk -v n="$n" 'BEGIN {
        for (i = 1; i <= n + 1; i++) printf "lambda%d = %d.0;\n", i, 5 + i % 3
        for (i = 1; i <= n; i++) printf "mu%d = %g;\n", i, 1 + 0.1 * i
        for (i = 1; i <= n; i++)
            printf "Stage%d = (move%d, T).(process%d, T).(move%d, T).Stage%d;\n", i, i, i, i + 1, i
        printf "Network = "
        for (i = 1; i <= n + 1; i++)
            printf("%s(move%d, lambda%d).Network", (i > 1) ? " + " : "", i, i)
        print ";"
        processors = n < 3 ? n : 3
        for (j = 1; j <= processors; j++) {
            printf "Processor%d = ", j
            for (i = j; i <= n; i += processors)
                printf("%s(process%d, mu%d).Processor%d", (i > j) ? " + " : "", i, i, j)
            print ";"
        }
        pipe = "Stage" n
        for (i = n - 1; i > 0; i--) pipe = "(Stage" i " <move" i + 1 "> " pipe ")"
        moves = "move1"; work = "process1"; all = "Processor1"
        for (i = 2; i <= n + 1; i++) moves = moves ", move" i
        for (i = 2; i <= n; i++) work = work ", process" i
        for (j = 2; j <= processors; j++) all = all " || Processor" j
        printf "Network <%s> (%s <%s> (%s))\n", moves, pipe, work, all
    }' ;;
clients)
    cat <<EOF
request = 2.0; respond = 1.5; think = 0.3; break = 0.05; fix = 0.4;
Client = (request, request).Waiting;
Waiting = (response, respond).Thinking;
Thinking = (think, think).Client;
Server = (request, request).Serving + (break, break).Broken;
Serving = (response, respond).Server;
Broken = (fix, fix).Server;
Client[$n] <request, response> Server[$((n / 2))]
EOF
    ;;
tandem)
    awk -v c="$n" 'BEGIN {
        print "arrive = 1.0; serve1 = 1.2; serve2 = 1.1;"
        for (i = 0; i <= c; i++) {
            more = (i < c); less = (i > 0); plus = (more && less) ? " + " : ""
            printf("First%d = %s%s%s;\n", i, more ? "(arrive, arrive).First" (i + 1) : "", plus,
                less ? "(pass, serve1).First" (i - 1) : "")
            printf("Second%d = %s%s%s;\n", i, more ? "(pass, T).Second" (i + 1) : "", plus,
                less ? "(leave, serve2).Second" (i - 1) : "")
        }
        print "First0 <pass> Second0"
    }' ;;
*)
    echo "model.sh: no family $family" >&2
    exit 2 ;;
esac
