# Two hosts with a network between them, to be cut.  To be sourced; $linked is empty where there can be
# no such hosts.  on_left COMMAND...: on one of them, from where mpirun reaches the other, `right`.
linked=
left=pepa-left-$$ right=pepa-right-$$
mkdir -p "$work/net"
cut_off() {
    ip netns exec "$left" ip link set across down
}
take_down() {
    ip netns del "$left" 2>/dev/null
    ip netns del "$right" 2>/dev/null
}
bring_up() {
    command -v ip >/dev/null && ip netns add "$left" && ip netns add "$right" &&
        ip link add across netns "$left" type veth peer name across netns "$right" || return 1
    at=1
    for each in "$left" "$right"; do
        ip netns exec "$each" ip addr add "10.99.7.$at/24" dev across &&
            ip netns exec "$each" ip link set across up &&
            ip netns exec "$each" ip link set lo up || return 1
        at=$((at + 1))
    done
}
if bring_up 2>"$work/net/why"; then
    linked=yes
else
    echo "a link that is cut is skipped: no network namespaces here"
fi
printf '127.0.0.1 localhost\n10.99.7.1 left\n10.99.7.2 right\n' >"$work/net/hosts"
cat >"$work/net/on" <<END
#!/bin/sh
host=\$1; shift
exec ip netns exec pepa-\$host-$$ unshare -um sh -c "hostname \$host && mount --bind $work/net/hosts /etc/hosts && \$*"
END
chmod +x "$work/net/on"
on_left() {
    OMPI_MCA_plm_rsh_agent="$work/net/on" OMPI_MCA_btl_tcp_if_include=across \
        OMPI_MCA_oob_tcp_if_include=across "$work/net/on" left "$@"
}
