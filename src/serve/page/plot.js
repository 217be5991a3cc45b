// Pictures as SVG: lines with bands, bars in parts, bars to both sides, and grids of colours.
// Colours come from the style sheet, so that they follow light and dark; lines differ by dashes too.

import { shortNumber, svg } from "./dom.js";
import { extent, span, ticks, tickText } from "./scale.js";

const LEFT = 70, RIGHT = 16, TOP = 16, LEGEND = 20;
export const COLOURS = 8;

function picture(height, title, ...children) {
    return svg("svg", { viewBox: `0 0 ${span()} ${height}`, role: "img", class: "plot",
        "aria-label": title }, svg("title", {}, title), children);
}

function text(x, y, anchor, content, extra = {}) {
    return svg("text", { x, y, "text-anchor": anchor, ...extra }, content);
}

// A frame with axes; x from one end to the other, y with ticks at ys: { nodes, x(value), y(value) }.
function axes([from, to], ys, bottom, labels) {
    const all = ticks(from, to, span() < 640 ? 4 : 8);
    const [low, high] = to > from ? [from, to] : [all[0], all[all.length - 1]];
    const xs = all.filter((v) => v >= low - 1e-9 * (high - low) && v <= high + 1e-9 * (high - low));
    const stepX = all[1] - all[0], stepY = ys[1] - ys[0];
    const x = (v) => LEFT + (v - low) / (high - low) * (span() - LEFT - RIGHT);
    const y = (v) => bottom - (v - ys[0]) / (ys[ys.length - 1] - ys[0]) * (bottom - TOP);
    const nodes = [
        ys.map((v) => [svg("line", { class: "rule", x1: LEFT, x2: span() - RIGHT, y1: y(v), y2: y(v) }),
            text(LEFT - 8, y(v) + 4, "end", tickText(v, stepY))]),
        xs.map((v) => [svg("line", { class: "tick", x1: x(v), x2: x(v), y1: bottom, y2: bottom + 5 }),
            text(x(v), bottom + 19, "middle", tickText(v, stepX))]),
        svg("line", { class: "axis", x1: LEFT, x2: span() - RIGHT, y1: bottom, y2: bottom }),
        text((LEFT + span() - RIGHT) / 2, bottom + 38, "middle", labels.x),
        labels.y ? text(0, 0, "middle", labels.y,
            { transform: `translate(16 ${(TOP + bottom) / 2}) rotate(-90)` }) : []
    ].flat(2);
    return { nodes, x, y };
}

function legend(names, top) {
    return names.map((name, i) => {
        const across = Math.max(1, Math.floor((span() - LEFT) / (24 + 7.2 * Math.max(...names.map((n) => n.length)) + 24)));
        const x = LEFT + (i % across) * (span() - LEFT) / across;
        const y = top + Math.floor(i / across) * LEGEND;
        return svg("g", {},
            svg("line", { class: `line s${i % COLOURS}`, x1: x, x2: x + 22, y1: y, y2: y }),
            text(x + 28, y + 4, "start", name));
    });
}

function legendHeight(names) {
    if (names.length < 2) return 0;
    const across = Math.max(1, Math.floor((span() - LEFT) / (48 + 7.2 * Math.max(...names.map((n) => n.length)))));
    return Math.ceil(names.length / across) * LEGEND;
}

// A line through points, broken where there is no value.
function path(points) {
    let pen = "M";
    let d = "";
    for (const [x, y] of points) {
        if (!Number.isFinite(x) || !Number.isFinite(y)) {
            pen = "M";
            continue;
        }
        d += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
        pen = "L";
    }
    return d;
}

// series: [{ name, x: [], y: [], low: [], high: [] }], low and high of a band, or without.
// options: { x, y: labels, zero: y from 0, marks: [[x, name]], low: their names are at the bottom }
export function lines(title, series, options) {
    const named = series.map((s) => s.name);
    const bottom = 300, height = bottom + 50 + legendHeight(named) + 6;
    const values = extent(series.flatMap((s) => [s.y, s.low || [], s.high || []]));
    if (options.zero !== false && values[0] > 0 && values[0] < values[1] * 0.75) values[0] = 0;
    const frame = axes(extent(series.map((s) => s.x)), ticks(...values),
        bottom, options);
    const place = (s, list) => s.x.map((x, i) => [frame.x(x), frame.y(list[i] ?? NaN)]);
    const bands = series.map((s, i) => {
        if (!s.low) return null;
        const both = [...place(s, s.low), ...place(s, s.high).reverse()]
            .filter(([, y]) => Number.isFinite(y));
        return svg("path", { class: `band s${i % COLOURS}`, d: path(both) + "Z" });
    });
    const drawn = series.map((s, i) => svg("path", { class: `line s${i % COLOURS}`,
        d: path(place(s, s.y)) }, svg("title", {}, s.name)));
    const marks = (options.marks || []).flatMap(([at, name], i) => [
        svg("line", { class: "mark", x1: frame.x(at), x2: frame.x(at), y1: TOP, y2: bottom }),
        text(frame.x(at) + 4, options.low ? bottom - 8 - 15 * ((options.marks.length - 1 - i) % 8) : TOP + 10 + 15 * (i % 8),
            "start", name, { class: "halo" })]);
    return picture(height, title, frame.nodes, bands.filter(Boolean), drawn, marks,
        named.length > 1 ? legend(named, bottom + 60) : []);
}

// rows: [{ name, value, note }]: a bar for each, from 0.  options: { most: of the axis }
export function bars(title, rows, options = {}) {
    const row = 24, left = span() < 640 ? 110 : 170, right = 90;
    const most = options.most || Math.max(...rows.map((r) => r.value), 0) || 1;
    const width = (value) => Math.max(0, value / most * (span() - left - right));
    return picture(rows.length * row + 8, title, rows.map((r, i) => [
        text(left - 8, i * row + 18, "end", r.name),
        svg("rect", { class: "bar s0", x: left, y: i * row + 5, width: width(r.value), height: row - 7 }),
        text(left + width(r.value) + 6, i * row + 18, "start", r.note || shortNumber(r.value))]).flat());
}

// rows: [{ name, parts: [{ name, value }] }]: a bar of length 1 in parts for each.
export function shares(title, rows) {
    const row = 46, left = span() < 640 ? 110 : 170, right = 16, width = span() - left - right;
    return picture(rows.length * row + 4, title, rows.map((r, i) => {
        let x = left;
        const parts = r.parts.map((part, p) => {
            const wide = part.value * width, at = x;
            x += wide;
            const label = `${part.name} ${(100 * part.value).toFixed(1)}%`;
            return [svg("rect", { class: `bar s${p % COLOURS}`, x: at, y: i * row + 4, width: wide,
                height: 18 }, svg("title", {}, label)),
            wide > 6.6 * label.length ? text(at + wide / 2, i * row + 36, "middle", label) : []];
        });
        return [text(left - 8, i * row + 18, "end", r.name), parts.flat(2)].flat();
    }).flat());
}

// rows: [{ name, value }]: bars to both sides of 0, as a tornado.
export function tornado(title, rows, label) {
    const row = 26, left = span() < 640 ? 100 : 150, right = 30, bottom = rows.length * row + 10;
    const most = Math.max(...rows.map((r) => Math.abs(r.value)), 1e-300);
    const marks = ticks(-most, most, span() < 640 ? 4 : 6), end = marks[marks.length - 1];
    const middle = (left + span() - right) / 2, half = (span() - right - left) / 2;
    const x = (v) => middle + v / end * half;
    return picture(bottom + 46, title,
        marks.map((v) => [svg("line", { class: "rule", x1: x(v), x2: x(v), y1: 4, y2: bottom }),
            text(x(v), bottom + 16, "middle", tickText(v, marks[1] - marks[0]))]).flat(),
        rows.map((r, i) => [text(left - 8, i * row + 21, "end", r.name),
            svg("rect", { class: `bar ${r.value < 0 ? "s1" : "s0"}`, x: Math.min(x(0), x(r.value)),
                y: i * row + 7, width: Math.abs(x(r.value) - x(0)), height: row - 8 },
            svg("title", {}, `${r.name}: ${shortNumber(r.value)}`))]).flat(),
        svg("line", { class: "axis", x1: x(0), x2: x(0), y1: 4, y2: bottom }),
        text(middle, bottom + 36, "middle", label));
}

// A grid of colours: value[i][j] at columns[j] and rows[i], from light to strong.
export function heat(title, columns, rows, value, labels) {
    const bottom = 310, wide = (span() - LEFT - RIGHT) / columns.length;
    const high = (bottom - TOP) / rows.length;
    const [least, most] = extent(value);
    const shade = (v) => most > least ? 0.08 + 0.92 * (v - least) / (most - least) : 0.5;
    const piece = (span() - LEFT - 70 - 80) / 11;
    const every = (list, room) => Math.max(1, Math.ceil(list.length / room));
    const cells = value.flatMap((line, i) => line.map((v, j) => Number.isFinite(v) && svg("rect", {
        class: "cell", x: LEFT + j * wide, y: bottom - (i + 1) * high, width: wide,
        height: high, "fill-opacity": shade(v).toFixed(3)
    }, svg("title", {}, `${labels.x} ${columns[j]}, ${labels.y} ${rows[i]}: ${shortNumber(v)}`))));
    return picture(bottom + 84, title, cells.filter(Boolean),
        columns.map((c, j) => j % every(columns, span() < 640 ? 5 : 9) ? [] : text(LEFT + (j + 0.5) * wide, bottom + 18, "middle", shortNumber(c))).flat(),
        rows.map((r, i) => i % every(rows, 12) ? [] : text(LEFT - 8, bottom - (i + 0.5) * high + 4, "end", shortNumber(r))).flat(),
        text((LEFT + span() - RIGHT) / 2, bottom + 38, "middle", labels.x),
        text(0, 0, "middle", labels.y, { transform: `translate(16 ${(TOP + bottom) / 2}) rotate(-90)` }),
        Array.from({ length: 11 }, (_, i) => svg("rect", { class: "cell", x: LEFT + 70 + i * piece, y: bottom + 54,
            width: piece, height: 12, "fill-opacity": (0.08 + 0.092 * i).toFixed(3) })),
        text(LEFT + 62, bottom + 65, "end", shortNumber(least)),
        text(LEFT + 78 + 11 * piece, bottom + 65, "start", shortNumber(most)));
}
