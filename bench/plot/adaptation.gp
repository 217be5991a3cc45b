# Throughput over time: of the best mapping, of a run whose stages move, of one whose stages stay.
eval terminal(ending, 860, 420)
stats $table index "slow" using 1 name "slow" nooutput
set key title "One of four machines becomes ten times slower"
set grid ytics ls 11
set xlabel "time since the run began (s)"
set ylabel "throughput (images/s, mean of 1.5 s)"
set yrange [0:*]
set offsets 0, 0, 1, 0
if (exists("slow_records")) {
    set arrow from slow_min, graph 0 to slow_min, graph 1 nohead ls 12
    set label "it slows down" at slow_min, graph 0.06 right offset -0.7,0 font small
}
plot $table index "best" using 1:2 with steps lc rgb "#000000" dt (8, 4) lw 1.5 \
        title "best mapping, as amoget predicts it", \
    $table index "fixed" using 1:2 with linespoints ls 14 title "stages stay", \
    $table index "moving" using 1:2 with linespoints ls 13 title "stages move when that pays", \
    $table index "moves" using 1:(0.25) with points ls 13 pt 9 ps 1.4 title "a move is complete"
