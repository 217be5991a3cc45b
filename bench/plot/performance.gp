# CPU time or memory against states, both logarithmic, a panel per family.
time = what eq "time"
families = "pipeline clients counted kanban polling tandem cluster"
array captions = ["pipeline", "clients, each by itself", "clients, counted", "kanban, counted", \
                  "polling", "tandem queues", "cluster, counted"]
across = 4
eval terminal(ending, 860, 540)
set multiplot layout 2,across margins char 9,char 2,char 4,char 4 spacing char 3,char 5 \
    title (time ? "CPU time of the whole process" : "Peak memory of the whole process")
set border 15
set grid ls 11
set logscale xy
unset mxtics
unset mytics
set xrange [1e3:3e8]
set yrange [time ? 1e-3 : 1 : time ? 4e3 : 25e3]
set xtics 1e3,10 font small format "%.0s%c" offset 0,0.4
set ytics 10 font small offset 0.5,0
unset key
do for [f = 1:words(families)] {
    set title captions[f] offset 0,-0.5
    set xlabel (f + across > words(families) ? "states" : "") offset 0,0.7
    set ylabel (f % across == 1 ? (time ? "CPU time (s)" : "memory (MB)") : "")
    set ytics format (f % across == 1 ? "%g" : "")
    theirs = word(families, f) . " PRISM"
    ours = word(families, f) . " pepa"
    plot time ? NaN : 1e-5 * x ls 12 title "10 B per state", \
        time ? NaN : 1e-4 * x ls 12 title "100 B per state", \
        $table index theirs using 1:2 with linespoints ls 14 title theirs, \
        $table index ours using 1:2 with linespoints ls 13 title ours
}

# Where the next panel would be: what the lines are.
unset title
unset xlabel
unset border
unset tics
unset grid
set key inside top left vertical samplen 2 spacing 1.4 font small
set label "PRISM: the best of its engines\nand methods for each model" at graph 0.01,0.38 font small
plot NaN with linespoints ls 13 title "pepa", NaN with linespoints ls 14 title "PRISM 4.10", \
    NaN ls 12 title (time ? "" : "10, 100 B per state")
unset multiplot
