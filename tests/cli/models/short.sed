# Numbers to six decimals, and no timings.
s/\([0-9]\.[0-9]\{6\}\)[0-9]*/\1/g
/"parse"/d
