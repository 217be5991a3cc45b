# Draws, as SVG, how a run adapts: throughput over time, moves, and the best mapping's throughput.
#   awk -f bench/adaptation.awk bench/adaptation.csv >doc/adaptation.svg
# Lines "what,seconds,value": slow (a machine slows down), best (throughput from then on), move (a move
# is complete), moving and fixed (images per second since the line before).  -v until=45: seconds shown.

BEGIN {
    FS = ","
    if (!until)
        until = 45
    left = 66; right = 668; top = 76; bottom = 356; width = 920; height = 420
    ink = "#1f2933"; faint = "#e4e7eb"; soft = "#616e7c"
    colour["moving"] = "#1665b8"; colour["fixed"] = "#c4501b"; colour["best"] = "#1f2933"
}

NR == 1 { next }
$1 == "slow" { slow = $2 }
$1 == "best" { from[++steps] = $2; best[steps] = $3; see($3) }
$1 == "move" && $2 <= until { move[++moves] = $2 }
$1 == "moving" || $1 == "fixed" {
    middle = ($2 + last[$1]) / 2
    last[$1] = $2
    if (middle <= until) {
        n = ++count[$1]
        at[$1, n] = middle
        value[$1, n] = $3
        see($3)
    }
}

END {
    unit = largest <= 12 ? 2 : largest <= 30 ? 5 : 10
    most = unit * int(largest / unit + 1)
    begin_picture()
    axes()
    if (slow)
        slowed()
    moved()
    line_of_best()
    line("fixed")
    line("moving")
    legend()
    print "</svg>"
}

function see(y) { if (y + 0 > largest) largest = y + 0 }
function x_of(seconds) { return left + (right - left) * seconds / until }
function y_of(rate) { return bottom - (bottom - top) * rate / most }

# what: start, middle, end
function text(x, y, what, fill, more, words) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\"%s>%s</text>\n", x, y, what, \
        fill, more, words
}

function stroke(x1, y1, x2, y2, paint) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2, paint
}

function begin_picture() {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" ", \
        width, height, width, height
    print "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">"
    print "<title>Throughput of a pipeline when one of its machines becomes ten times slower</title>"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, height
    text(left, 28, "start", ink, " font-size=\"16\" font-weight=\"bold\"", \
        "One of four machines becomes ten times slower")
    text(left, 48, "start", soft, "", \
        "Throughput of the image pipeline, images per second in each period of 1.5 s")
}

function axes(    k) {
    for (k = 0; k <= most; k += unit) {
        stroke(left, y_of(k), right, y_of(k), "stroke=\"" (k ? faint : soft) "\"")
        text(left - 9, y_of(k) + 4.5, "end", soft, "", k)
    }
    for (k = 0; k <= until; k += 5) {
        stroke(x_of(k), bottom, x_of(k), bottom + 5, "stroke=\"" soft "\"")
        text(x_of(k), bottom + 21, "middle", soft, "", k)
    }
    text((left + right) / 2, bottom + 44, "middle", soft, "", "time since the run began, seconds")
    printf "<text transform=\"translate(24 %.1f) rotate(-90)\" text-anchor=\"middle\" fill=\"%s\">%s</text>\n", \
        (top + bottom) / 2, soft, "images per second"
}

function slowed() {
    stroke(x_of(slow), top - 4, x_of(slow), bottom, "stroke=\"" soft "\" stroke-dasharray=\"2 3\"")
    text(x_of(slow) - 7, y_of(0) - 12, "end", soft, "", "it slows down")
}

# A triangle on the axis for each move.
function moved(    k, x) {
    for (k = 1; k <= moves; k++) {
        x = x_of(move[k])
        printf "<path d=\"M%.1f %.1fl-5.5 9.5h11z\" fill=\"%s\"/>\n", x, bottom - 10, colour["moving"]
    }
}

function line_of_best(    k, end, path) {
    for (k = 1; k <= steps; k++) {
        end = k < steps ? from[k + 1] : until
        path = path sprintf("%s%.1f %.1fH%.1f", k > 1 ? "V" y_of(best[k]) "M" : "M", x_of(from[k]), \
            y_of(best[k]), x_of(end))
    }
    printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-dasharray=\"7 4\"/>\n", \
        path, colour["best"]
}

function line(which,    k, points) {
    for (k = 1; k <= count[which]; k++)
        points = points sprintf("%.1f,%.1f ", x_of(at[which, k]), y_of(value[which, k]))
    printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.2\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n", \
        points, colour[which]
    for (k = 1; k <= count[which]; k++)
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>\n", x_of(at[which, k]), \
            y_of(value[which, k]), colour[which]
}

# What each line is, beside its end; two lines of text each, and as far apart as these need.
function legend(    y, i, j, keep, order, n) {
    order[1] = "best"; order[2] = "moving"; order[3] = "fixed"
    y["best"] = y_of(best[steps])
    y["moving"] = y_of(value["moving", count["moving"]])
    y["fixed"] = y_of(value["fixed", count["fixed"]])
    n = 3
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && y[order[j]] < y[order[j - 1]]; j--) {
            keep = order[j]; order[j] = order[j - 1]; order[j - 1] = keep
        }
    for (i = 2; i <= n; i++)
        if (y[order[i]] < y[order[i - 1]] + 40)
            y[order[i]] = y[order[i - 1]] + 40
    name("best", y["best"], "best mapping,", "as amoget predicts it")
    name("moving", y["moving"], "stages move when that pays", "\342\226\262 a move is complete")
    name("fixed", y["fixed"], "stages stay", "where they are")
}

function name(which, y, first, second) {
    text(right + 14, y + 1, "start", colour[which], " font-weight=\"bold\"", first)
    text(right + 14, y + 17, "start", colour[which], "", second)
}
