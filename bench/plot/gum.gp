# Programs with futures on growing grids, as Al Zain and others measured them and as simulated here: a row for each program.
eval terminal(ending, 860, 640)
set multiplot layout 2,2 margins char 9,char 3,char 3,char 3 spacing char 7,char 6
set grid ytics ls 11
set logscale y
set yrange [0.1:1.4]
set ytics (0.1, 0.2, 0.3, 0.5, 0.7, 1)
set xrange [0.6:6.4]
set xtics font small
array program[2] = ["raytracer", "parfib"]
array title[2] = ["ray tracer", "parFib"]
do for [i = 1:2] {
    set key inside left bottom vertical
    set ylabel "time; blind on 6E1M: 1"
    set title title[i] . ", 2007"
    paper = "paper_" . program[i]
    plot $table index paper using 1:3:xtic(2) with linespoints ls 14 title "GUM1", \
        $table index paper using 1:4 with linespoints ls 13 title "GUM2"
    unset ylabel
    set title title[i] . ", simulated"
    plot $table index program[i] using 1:3:xtic(2) with linespoints ls 14 title "random", \
        $table index program[i] using 1:4 with linespoints ls 4 title "nearest-loaded", \
        $table index program[i] using 1:5 with linespoints ls 5 title "busiest", \
        $table index program[i] using 1:6 with linespoints ls 13 title "predicted"
}
unset multiplot
