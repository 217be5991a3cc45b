# Hosts of any name, all of them this machine: what mpirun starts on one sees that name, and has
# $work/own to itself.  To be sourced; $apart is empty where there can be no such hosts.  DEAD: a host
# that does not answer.
apart=
mkdir "$work/own"
for each in 'unshare -um' 'unshare -rum'; do
    [ "$apart" ] || ! $each true 2>/dev/null || apart=$each
done
[ "$apart" ] || echo "runs on several hosts are skipped: no namespaces here"
cat >"$work/on" <<END
#!/bin/sh
host=\$1; shift
[ "\$host" = "\$DEAD" ] && { echo "no route to \$host" >&2; exit 255; }
mkdir -p $work/of_\$host
exec $apart sh -c "hostname \$host && mount --bind $work/of_\$host $work/own && \$*"
END
chmod +x "$work/on"
export OMPI_MCA_plm_rsh_agent="$work/on"
