# shellcheck shell=bash
# Four machines over a slow network, on one machine: to be sourced in the root of the tree by scripts that
# measure there.  The machines are network namespaces whose packets pass through a program that delays
# them, pair by pair (LAB: a folder with lagswitch.c).  Open MPI's processes, sockets and the kernel's
# TCP are the real ones.  Each machine has its own name, clock and boot identifier.  Needs root.
#   $work                 a folder; it and the machines are removed at the end
#   set_links, mpi, mpi_begin, bound, $missed, $run, $spaces, cannot: see there
lab=${LAB:-../shared/lab}

cannot() {
    echo "$0: $1" >&2
    exit 2
}
[ -f "$lab/lagswitch.c" ] ||
    cannot "there is no $lab/lagswitch.c: LAB= names the folder of the delaying switch"
[ "$(id -u)" -eq 0 ] || cannot "only root can make network namespaces"
[ -c /dev/net/tun ] || cannot "there is no /dev/net/tun"
for tool in ip unshare mpirun; do
    command -v $tool >/dev/null || cannot "there is no $tool"
done

# ---- machines -----------------------------------------------------------------------------------

hosts=(edin1a edin1b edin2 muni)
spaces=()
for host in "${hosts[@]}"; do
    spaces+=("lab$$-$host")
done
work=$(mktemp -d)
switch=
run=

# Everything in the namespaces was started here; they are removed whatever happens.
clean() {
    trap '' INT TERM HUP
    for space in "${spaces[@]}"; do
        ip netns pids "$space" 2>/dev/null | xargs -r kill -9 2>/dev/null
    done
    [ -n "$switch" ] && kill "$switch" 2>/dev/null && wait "$switch" 2>/dev/null
    for space in "${spaces[@]}"; do
        ip netns del "$space" 2>/dev/null
    done
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# on HOST COMMAND: there, as if on a machine of its own.  mpirun calls it like ssh, with addresses.
cat >"$work/on" <<END
#!/bin/bash
while [[ \$1 == -* ]]; do shift; done
hosts=(${hosts[*]})
n=\${1##*.}; shift
host=\${hosts[n - 1]}
exec ip netns exec lab$$-\$host unshare --uts --time --monotonic \$((1000 * n)) --fork --kill-child \\
    bash -c 'hostname "\$0"
             echo "\$1" >"$work/boot.\$0"
             mount --bind "$work/boot.\$0" /proc/sys/kernel/random/boot_id
             shift; exec bash -c "\$*"' "\$host" "boot of \$host" "\$@"
END
chmod +x "$work/on"
for i in 1 2 3 4; do
    echo "10.77.0.$i slots=2"
done >"$work/hosts"

# matrix EDIN EDIN2 MUNI [MBIT MUNI_MBIT]: one-way milliseconds within the first cluster, from there to
# the second, from both to the third; then what the links carry.
matrix() {
    awk -v a="$1" -v b="$2" -v c="$3" -v m="${4:-0}" -v n="${5:-0}" 'BEGIN {
        for (k = 0; k < (m ? 2 : 1); k++)
            for (i = 1; i <= 4; i++)
                for (j = 1; j <= 4; j++)
                    printf "%s%s", i == j ? 0 : i == 4 || j == 4 ? (k ? n : c) : k ? m : \
                        i == 3 || j == 3 ? b : a, j == 4 ? "\n" : " "
    }'
}

matrix 0.20 0.27 35.8 >"$work/matrix"
${CC:-cc} -O2 -w -o "$work/lagswitch" "$lab/lagswitch.c" || cannot "lagswitch.c does not compile"
for space in "${spaces[@]}"; do
    ip netns add "$space" || exit 2
done
for space in "${spaces[@]}"; do
    [ -z "${CONTROL:-}" ] || ip netns exec "$space" sysctl -qw "net.ipv4.tcp_congestion_control=$CONTROL" ||
        cannot "TCP cannot be controlled by $CONTROL"
done
"$work/lagswitch" "$work/matrix" "${spaces[@]}" 2>"$work/switch.log" &
switch=$!
for _ in $(seq 50); do
    grep -q ready "$work/switch.log" && break
    sleep 0.1
done
grep -q ready "$work/switch.log" || cannot "the switch does not start: $(cat "$work/switch.log")"

# set_links MATRIX...: from now on.
set_links() {
    matrix "$@" >"$work/matrix.new"
    mv "$work/matrix.new" "$work/matrix"
    kill -HUP $switch
    sleep 0.2
}

# mpi PROGRAM...: on all machines, a process each; into out and err.
mpi() {
    mpi_begin "$@"
    wait $run
}
mpi_begin() {
    mkdir -p "$work/tmp"
    timeout -k 5 "${TIMEOUT:-120}" "$work/on" 10.77.0.1 \
        mpirun --allow-run-as-root --mca plm_rsh_agent "$work/on" \
        --mca oob_tcp_keepalive_time 2 --mca oob_tcp_keepalive_intvl 1 \
        --mca oob_tcp_keepalive_probes 3 --mca btl tcp,self --mca btl_tcp_if_include lag0 --mca oob_tcp_if_include lag0 \
        --mca orte_tmpdir_base "$work/tmp" --hostfile "$work/hosts" --map-by node -n 4 "$@" \
        >"$work/out" 2>"$work/err" &
    run=$!
}

missed=0
# bound WHAT VALUE LEAST MOST
bound() {
    if ! awk -v v="${2:-nan}" -v l="$3" -v m="$4" 'BEGIN { exit !(v + 0 == v && v >= l && v <= m) }'; then
        echo "MISSED: $1: ${2:-nothing}, not $3 to $4" >&2
        missed=1
    fi
}
