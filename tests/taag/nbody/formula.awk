# Seconds of a step of nbody by a formula: a galaxy of n processes needs n blocks at the speed of its slowest host,
# and n - 1 latencies if it is on several hosts; the slowest galaxy counts, and a latency between galaxies.
#   awk -v flops=OPERATIONS_OF_A_BLOCK -f formula.awk MAPPING.xml
function value(name) {
    match($0, " " name "=\"[^\"]*\"")
    return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
}
function close_group() {
    time = n * flops / slowest + (several ? (n - 1) * latency : 0)
    longest = time > longest ? time : longest
}
/<host / { speed[value("name")] = 1e6 * value("speed") }
/<latency / { latency = value("seconds") > latency ? value("seconds") + 0 : latency }
/<group>/ { n = 0; several = 0; first = "" }
/<process / {
    host = value("host")
    n++
    several = several || (first != "" && host != first)
    slowest = first == "" || speed[host] < slowest ? speed[host] : slowest
    first = first == "" ? host : first
}
/<\/group>/ { close_group() }
END { printf("%.6f\n", longest + latency) }
