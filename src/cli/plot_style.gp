# How pictures look: those of --plot, which has this text built in, and those of bench/plot/draw.
# The language is gnuplot's.  ending: of the file; width, height: in pixels of SVG.
terminal(ending, width, height) = "set terminal " . ( \
    ending eq "png" ? sprintf("pngcairo size %d,%d fontscale 1.6 linewidth 2 pointscale 2", \
                              2 * width, 2 * height) : \
    ending eq "pdf" ? sprintf("pdfcairo size %.1fcm,%.1fcm fontscale 0.85", \
                              width / 50.0, height / 50.0) : \
    sprintf("svg size %d,%d dynamic rounded background \"white\"", width, height)) \
    . " font \"Helvetica,13\" noenhanced"
set encoding utf8
set border 3
set tics nomirror out
set key outside top center horizontal reverse Left
# Lines differ in dashes, marks and brightness, so in greys as well.
set style line 1 lc rgb "#000000" dt 1 lw 1.5 pt 7 ps 1
set style line 2 lc rgb "#0060ad" dt 2 lw 1.5 pt 4 ps 1
set style line 3 lc rgb "#dd5a3a" dt 3 lw 1.5 pt 9 ps 1
set style line 4 lc rgb "#8a9597" dt 4 lw 1.5 pt 10 ps 1
set style line 5 lc rgb "#1e8449" dt 5 lw 1.5 pt 2 ps 1
set style line 6 lc rgb "#000000" dt 2 lw 1.5 pt 6 ps 1
set style line 7 lc rgb "#0060ad" dt 3 lw 1.5 pt 5 ps 1
set style line 8 lc rgb "#dd5a3a" dt 4 lw 1.5 pt 8 ps 1
set style line 9 lc rgb "#8a9597" dt 5 lw 1.5 pt 11 ps 1
set style line 10 lc rgb "#1e8449" dt 1 lw 1.5 pt 1 ps 1
# Behind lines: a grid, and values to compare with.
set style line 11 lc rgb "#d5d5d5" dt 1 lw 1
set style line 12 lc rgb "#444444" dt (2, 4) lw 1
# Two of which one is ours.
set style line 13 lc rgb "#0060ad" dt 1 lw 2 pt 7 ps 0.6
set style line 14 lc rgb "#dd5a3a" dt (8, 4) lw 1.5 pt 6 ps 0.7 pi -1
set pointintervalbox 0.8
# Of other words than the labels of axes.
small = ",10.5"
# Shades: darker for more.
set palette defined (0 "#ffffd9", 1 "#c7e9b4", 2 "#41b6c4", 3 "#225ea8", 4 "#081d58")
