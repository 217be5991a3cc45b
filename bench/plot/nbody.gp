# How much longer than with the mapping of taag galaxies take, against their size: a panel for each way in which
# MPI fills hosts in order.
eval terminal(ending, 860, 400)
set multiplot layout 1,2 margins char 9,char 2,char 4,char 3 spacing char 9
set grid ytics ls 11
set logscale x 2
set xtics (500, 1000, 2000, 4000)
set xrange [400:5000]
set yrange [0.9:2]
set xlabel "particles of a process"
set key inside left top vertical
set title "MPI1: the slow site first"
set ylabel "time / time of taag's mapping"
plot $table index "paper" using 1:2 with linespoints ls 1 title "measured by Bosa and Schreiner", \
    $table index "early" using 1:2 with linespoints ls 13 title "simulated", \
    $table index "late" using 1:2 with linespoints ls 14 title "simulated, messages wait for receivers", \
    $table index "equal" using 1:2 with linespoints ls 4 title "simulated, sites equally fast"
unset key
unset ylabel
set title "MPI2: the fast site first"
plot $table index "paper" using 1:3 with linespoints ls 1, \
    $table index "early" using 1:3 with linespoints ls 13, \
    $table index "late" using 1:3 with linespoints ls 14, \
    $table index "equal" using 1:3 with linespoints ls 4
unset multiplot
