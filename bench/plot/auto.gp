# Ratios by rank, a mark per model; models that auto did not solve are crosses at the upper edge.
eval terminal(ending, 860, 480)
stats $table index "models" using 1 name "model" nooutput
stats $table index "models" using 2 name "ratio" nooutput
rated = exists("ratio_records")
unsolved = model_records - (rated ? ratio_records : 0)
low = rated && ratio_min < 0.8 ? 0.9 * ratio_min : 0.8
high = rated && ratio_max > 5 ? 2 * ratio_max : 10
edge = high * 0.93

# Names stand to the left of their marks, each a line above the one before; of models that auto did
# not solve, from the edge downwards.  gnuplot leaves out a row if a missing ratio is used at all, so
# each use stands behind valid(2).
line = (high / low) ** 0.045
across = 0.88 * model_records
above(ratio) = last = ratio > line * last ? ratio : line * last
under_edge(rank) = last = edge / line ** (model_records - rank)

set key title "CPU time of auto over that of the best forced choice"
set border 15
set grid ytics ls 11
set logscale y
unset mytics
set xrange [0:model_records + 1]
set yrange [low:high]
set ytics (0.2, 0.5, 0.8, 1, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
set xlabel sprintf("%d models, by rank; %s", model_records, \
    unsolved ? sprintf("auto did not solve %d", unsolved) : "auto solved all of them")
set ylabel "ratio of CPU times (1: as fast as the best)"
plot 1 lc rgb "#000000" notitle, \
    $table index "quantiles" using (0):2:(model_records + 1):(0) with vectors nohead ls 12 notitle, \
    last = low, $table index "names" using (across):(valid(2) ? above($2) : under_edge($1)) \
        :($1 - across):((valid(2) ? $2 : edge) - last) with vectors nohead ls 11 notitle, \
    $table index "models" using 1:(strcol(3) eq "tuned" ? $2 : NaN) with points ls 13 \
        title "the rules were tuned on it", \
    $table index "models" using 1:(strcol(3) eq "fresh" ? $2 : NaN) with points ls 14 \
        title "no rule was tuned on it", \
    $table index "models" using 1:(valid(2) ? NaN : edge) with points ls 13 pt 2 ps 1.4 lw 1 notitle, \
    last = low, $table index "names" using (across):(valid(2) ? above($2) : under_edge($1)):3 \
        with labels right offset -0.5,0 font small notitle, \
    $table index "quantiles" using (0):2:3 with labels left offset 0.7,0.6 font small notitle
