# A mapping file as a platform of SimGrid: its hosts with their places as cores, a unit of work a million
# operations, and a link for each pair of hosts.  Standard output: the platform; `hosts`: the host of each rank.
#   awk -v bandwidth=125MBps -v hosts=HOSTS -f platform.awk MAPPING.xml >PLATFORM.xml
function value(name) {
    match($0, " " name "=\"[^\"]*\"")
    return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
}
BEGIN {
    print "<?xml version='1.0'?>"
    print "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
    print "<platform version=\"4.1\">\n  <zone id=\"grid\" routing=\"Full\">"
}
/<host / {
    printf("    <host id=\"%s\" speed=\"%.17gMf\" core=\"%d\"/>\n", value("name"), value("speed"), value("places"))
}
/<latency / {
    a = value("from")
    b = value("to")
    links = links sprintf("    <link id=\"%s-%s\" bandwidth=\"%s\" latency=\"%.17gs\"/>\n", a, b, bandwidth,
                          value("seconds"))
    routes = routes sprintf("    <route src=\"%s\" dst=\"%s\"><link_ctn id=\"%s-%s\"/></route>\n", a, b, a, b)
}
/<process / { print value("host") >hosts }
END { printf("%s%s  </zone>\n</platform>\n", links, routes) }
