# Reads bench/peers and the records of run.sh, one measurement a line; for other scripts here, which
# find:
#   count                     measurements, from 1, in order
#   has[i, KEY]               a member of measurement i; absent if null
#   head[SET, KEY]            of the run of that set: date, program, cpu, cores, ...
#   sets                      how many runs; set_name[k] their sets
#   peer[NAME, SIZE, KEY]     states transitions cpu sweeps MB builder; absent if unknown
#   peers                     how many; peer_name[k], peer_size[k] in order
FILENAME ~ /peers$/ {
    sub(/#.*/, "")
    if (NF < 8)
        next
    peer_name[++peers] = $1
    peer_size[peers] = $2
    split("states transitions cpu sweeps MB builder", peer_key, " ")
    for (key = 1; key <= 6; key++)
        if ($(key + 2) != "-")
            peer[$1, $2, peer_key[key]] = $(key + 2)
    next
}
/"set": / {
    current = member($0, "set")
    set_name[++sets] = current
}
/"kind": / {
    count++
    rest = $0
    while (match(rest, /"[a-z0-9_]+": ("[^"]*"|[-+0-9.e]+|null)/)) {
        pair = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        match(pair, /": /)
        key = substr(pair, 2, RSTART - 2)
        value = substr(pair, RSTART + 3)
        gsub(/"/, "", value)
        if (value != "null")
            has[count, key] = value
    }
    has[count, "set"] = current
    next
}
{
    split("date program cpu cores memory_bytes system compiler flags triad_gb_per_s", head_key, " ")
    for (key = 1; key <= 9; key++)
        if ((value = member($0, head_key[key])) != "")
            head[current, head_key[key]] = value
}

# The value of "key" in a text; empty if it is not there.
function member(text, key)
{
    if (!match(text, "\"" key "\": (\"[^\"]*\"|[-+0-9.e]+)"))
        return ""
    text = substr(text, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
    gsub(/"/, "", text)
    return text
}

# What PRISM took over what we took for measurement i; empty if unknown.
function gain(i,    took)
{
    took = has[i, "name"] SUBSEP has[i, "size"] SUBSEP "cpu"
    return (took in peer) && has[i, "status"] == 0 ? peer[took] / has[i, "cpu_s"] : ""
}

# 1234567 as 1,234,567.
function thousands(n,    text)
{
    text = sprintf("%.0f", n)
    while (match(text, /^[0-9][0-9][0-9][0-9]+/)) {
        n = substr(text, RSTART + RLENGTH)
        text = substr(text, 1, RLENGTH - 3) "," substr(text, RLENGTH - 2, 3) n
    }
    return text
}

# x with three digits that count.
function three(x)
{
    if (x == "")
        return ""
    return x + 0 >= 100 ? sprintf("%.0f", x) : x + 0 >= 10 ? sprintf("%.1f", x) : \
        x + 0 >= 1 ? sprintf("%.2f", x) : sprintf("%.3f", x)
}
