# How many times the lower bound collectives take, against the bytes of a block: a panel for each.
eval terminal(ending, 900, 560)
set multiplot layout 2,3 margins char 9,char 2,char 4,char 3 spacing char 8,char 6
set grid ytics ls 11
set logscale xy
set xrange [5:2e6]
set yrange [0.9:40]
set xtics ("8" 8, "1k" 1000, "10k" 10000, "100k" 100000, "1M" 1000000)
set ytics (1, 2, 5, 10, 20)
set xlabel "bytes"
unset key
array panel[5] = ["broadcast", "reduce", "allreduce", "gather", "alltoall"]
do for [i = 1:5] {
    set title panel[i]
    set ylabel i % 3 == 1 ? "time / lower bound" : ""
    plot for [k = 3:6] $table index panel[i] using 1:k with linespoints ls (k == 3 ? 14 : k - 1), \
        $table index panel[i] using 1:2 with linespoints ls 13
}
set key inside center center vertical
unset border
unset title
unset tics
unset xlabel
unset ylabel
plot NaN with linespoints ls 13 title "clusters", \
    NaN with linespoints ls 14 title "SimGrid's defaults", \
    NaN with linespoints ls 3 title "as Open MPI", \
    NaN with linespoints ls 4 title "as MPICH", \
    NaN with linespoints ls 5 title "as MVAPICH2"
unset multiplot
