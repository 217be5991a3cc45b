# Processes that share a chain: what copies add to memory, and speedups on two networks, simulated
# (marks) and by the formula of longest paths (lines).
eval terminal(ending, 960, 380)
set multiplot layout 1,3 margins char 8,char 2,char 4,char 3 spacing char 10
set grid ytics ls 11
set logscale xy 2
set xrange [0.8:6000]
set xtics ("1" 1, "4" 4, "16" 16, "64" 64, "256" 256, "1k" 1024, "4k" 4096)
set xlabel "processes"
set title "memory of the largest process"
set ylabel "states with copies / share of one"
set yrange [0.9:16]
set key inside left top vertical
array model[4] = ["pipeline 16", "kanban 6", "farm 60", "pipeline 17"]
array style[4] = [13, 2, 3, 5]
plot for [k = 1:4] $table index model[k] using 1:2 with linespoints ls style[k] title model[k]
unset key
set ylabel "speedup"
set yrange [0.8:1024]
set title "100 Gbit/s, 1.5 us"
plot x with lines ls 12, \
    for [k = 1:4] $table index model[k] using 1:6 with lines ls style[k], \
    for [k = 1:4] $table index model[k] using 1:4 with points ls style[k]
set title "10 Gbit/s, 25 us"
unset ylabel
plot x with lines ls 12, \
    for [k = 1:4] $table index model[k] using 1:7 with lines ls style[k], \
    for [k = 1:4] $table index model[k] using 1:5 with points ls style[k]
unset multiplot
