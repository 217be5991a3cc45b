# What of the tools' output does not change from run to run and from machine to machine: timings,
# memory, and residuals at the level of rounding errors become #, and of numbers with more than 14
# digits 12 are kept.  To be sourced.

unstable='s/[0-9.e+-]* s in all/# s in all/
s/"\(parse\|derive\|solve\|matrix\)": [0-9][0-9.]*/"\1": #/g
s/"peak_bytes": [0-9]*/"peak_bytes": #/
s/"limit_bytes": [0-9nul]*/"limit_bytes": #/
s/[0-9.]*e-1[4-9]/#/g
s/"residual": 0,/"residual": #,/
s/^residual,,,\([a-z-]*\),0$/residual,,,\1,#/
s/Residual: 0.0e+00/Residual: #/'
# The stable part of a file of output.
stable() {
    sed "$unstable" "$1" | awk '{
        line = ""
        while (match($0, /[0-9]+\.[0-9]+(e[-+][0-9]+)?/)) {
            number = substr($0, RSTART, RLENGTH)
            line = line substr($0, 1, RSTART - 1) (RLENGTH > 15 ? sprintf("%.12g", number) : number)
            $0 = substr($0, RSTART + RLENGTH)
        }
        print line $0
    }'
}
