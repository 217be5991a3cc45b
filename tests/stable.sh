# What of the tools' output does not change from run to run and from machine to machine: timings,
# memory, residuals at the level of rounding errors (of --explain: all that end there), and at how many points a search on one
# chain solved it (rounding says when it ends) become #, and of numbers with more than 14
# digits 12 are kept.  To be sourced.

unstable='s/[0-9.e+-]* s in all/# s in all/
s/"\(parse\|derive\|solve\|matrix\|experiment\|lump\|optimise\|check\|fit\)": [0-9][0-9.]*/"\1": #/g
s/"peak_bytes": [0-9]*/"peak_bytes": #/
s/"limit_bytes": [0-9nul]*/"limit_bytes": #/
s/\(, \|after \|iterations\{0,1\} \)in [0-9][0-9.e+-]* s\([.,;]\)/\1in # s\2/g
s/; in [0-9][0-9.e+-]* s\([.,;]\)/; in # s\1/g
s/[0-9][0-9.e+-]* \(of the flow\|by time\)/# \1/g
s/each left [0-9.e+-]* of/each left # of/g
s/[0-9.]*e-1[4-9]/#/g
s/"residual": 0,/"residual": #,/
s/^residual,,,\([a-z-]*\),0$/residual,,,\1,#/
s/Residual: 0.0e+00/Residual: #/
s/stationary point, residual [0-9.e+-]*:/stationary point, residual #:/
s/^Solved at [0-9]* points on 1 chain/Solved at # points on 1 chain/'
# The stable part of a file of output, in which lines that begin with the character 1 are marks of the caller.
stable() {
    sed -e '/^\x01/b' -e "$unstable" "$1" | awk '/^\001/ { print; next } {
        line = ""
        while (match($0, /[0-9]+\.[0-9]+(e[-+][0-9]+)?/)) {
            number = substr($0, RSTART, RLENGTH)
            line = line substr($0, 1, RSTART - 1) (RLENGTH > 15 ? sprintf("%.12g", number) : number)
            $0 = substr($0, RSTART + RLENGTH)
        }
        print line $0
    }'
}
