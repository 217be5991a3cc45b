# g and l against the number of processes, a panel each; bars: 95% intervals.
eval terminal(ending, 860, 380)
set multiplot layout 1,2 margins char 10,char 2,char 4,char 3 spacing char 13
set grid ytics ls 11
set xlabel "processes"
set xtics 2
set xrange [0:*]
set yrange [0:*]
set offsets 0, 0.5, 0, 0
set key inside left top
set title "g: a double sent or received"
set ylabel "microseconds"
plot $table index "g_words" using 1:2 with linespoints ls 14 title "a put for each", \
    $table index "g_words" using 1:2:3:4 with yerrorbars ls 14 notitle, \
    $table index "g" using 1:2 with linespoints ls 13 title "in blocks", \
    $table index "g" using 1:2:3:4 with yerrorbars ls 13 notitle
set title "l: a superstep in which nothing is sent"
unset key
plot $table index "l" using 1:2 with linespoints ls 13 notitle, \
    $table index "l" using 1:2:3:4 with yerrorbars ls 13 notitle
unset multiplot
