# What the plots of measurements share: a page of SVG, its words and lines.  Begin with svg_begin,
# print further rules of style, then svg_paper; end with </svg>.
function svg_begin(w, h, title)
{
    svg_title = title
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" " \
           "height=\"%d\" role=\"img\" aria-label=\"%s\">\n", w, h, w, h, title)
    print "<style>"
    print "text { font: 12px 'DejaVu Sans', Helvetica, Arial, sans-serif; fill: #333 }"
    print ".title { font-size: 17px; font-weight: bold; fill: #111 }"
    print ".name { font-size: 13px; font-weight: bold; fill: #111 }"
    print ".tick { font-size: 10.5px; fill: #666 }"
    print ".grid { stroke: #e4e4e4; stroke-width: 1; fill: none }"
    print ".frame { stroke: #999; stroke-width: 1; fill: none }"
}

# left: where the title begins
function svg_paper(left)
{
    print "</style>"
    print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
    say(left, 34, "title", "start", svg_title)
}

function say(x, y, class, anchor, words)
{
    printf("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\" text-anchor=\"%s\">%s</text>\n", x, y, class,
           anchor, words)
}

function line(x1, y1, x2, y2, class)
{
    printf("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2,
           class)
}

function log10(x)
{
    return log(x) / log(10)
}
