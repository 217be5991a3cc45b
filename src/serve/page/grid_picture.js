// A picture of the grid: processors on a circle, with the stages of a mapping on them, and the way
// that items take.

import { svg } from "./dom.js";
import { span } from "./scale.js";

const HEIGHT = 450, NODE = 34, LINE = 16;
const ASIDE = 130; // for words at the sides

// Words beside a processor, away from the middle of the picture, where arrows are.
function words([x, y], angle, lines) {
    const across = Math.cos(angle);
    if (Math.abs(across) > 0.3) {
        const [at, anchor] = across > 0 ? [x + NODE + 8, "start"] : [x - NODE - 8, "end"];
        return lines.map((line, i) => svg("text", { class: "halo", x: at, "text-anchor": anchor,
            y: y + 4 + (i - (lines.length - 1) / 2) * LINE }, line));
    }
    const first = Math.sin(angle) < 0 ? y - NODE - 8 - (lines.length - 1) * LINE : y + NODE + LINE;
    return lines.map((line, i) => svg("text", { class: "halo", x, "text-anchor": "middle", y: first + i * LINE }, line));
}

export function gridPicture(processors, mapping, stages, shares) {
    const title = `Mapping (${mapping.join(", ")}): ${mapping.map((p, i) => `${stages[i]} on ${p}`).join(", ")}`;
    const angles = new Map(processors.map((name, i) => [name, 2 * Math.PI * i / processors.length - Math.PI / 2]));
    const place = new Map(processors.map((name) => processors.length === 1 ? [name, [span() / 2, HEIGHT / 2]]
        : [name, [span() / 2 + (span() / 2 - ASIDE - NODE / 2) * Math.cos(angles.get(name)), HEIGHT / 2 + 135 * Math.sin(angles.get(name))]]));
    const way = mapping.slice(1).map((to, i) => arrow(place.get(mapping[i]), place.get(to), i))
        .filter(Boolean);
    const nodes = processors.map((name) => {
        const [x, y] = place.get(name);
        const here = mapping.flatMap((p, i) => p === name ? [stages[i]] : []);
        const share = shares.get(name);
        return svg("g", {},
            svg("circle", { class: here.length ? "processor used" : "processor", cx: x, cy: y, r: NODE,
                "fill-opacity": (0.12 + 0.75 * (share || 0)).toFixed(3) }),
            svg("text", { x, y: y + 4, "text-anchor": "middle", class: "strong" }, name),
            words([x, y], angles.get(name), [...here, ...(share === undefined ? [] : [`${(100 * share).toFixed(0)}% of the time`])]));
    });
    return svg("svg", { viewBox: `0 0 ${span()} ${HEIGHT}`, role: "img", class: "plot", "aria-label": title },
        svg("title", {}, title), way, nodes);
}

// A bent line from one processor to another, with its head.
function arrow(from, to, i) {
    if (from === to) return null;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    const [ux, uy] = [dx / length, dy / length];
    const bend = 26;
    const start = [from[0] + ux * NODE, from[1] + uy * NODE];
    const middle = [(from[0] + to[0]) / 2 - uy * bend, (from[1] + to[1]) / 2 + ux * bend];
    const tilt = Math.hypot(to[0] - middle[0], to[1] - middle[1]);
    const [vx, vy] = [(to[0] - middle[0]) / tilt, (to[1] - middle[1]) / tilt];
    const tip = [to[0] - vx * (NODE + 2), to[1] - vy * (NODE + 2)];
    const side = (s) => `${tip[0] - vx * 11 - s * vy * 5} ${tip[1] - vy * 11 + s * vx * 5}`;
    return svg("g", {},
        svg("path", { class: "line s0", d: `M${start.join(" ")}Q${middle.join(" ")} ${tip.join(" ")}` }),
        svg("path", { class: "bar s0", d: `M${tip.join(" ")}L${side(1)}L${side(-1)}Z` }),
        svg("text", { class: "halo", x: middle[0], y: middle[1] + 4, "text-anchor": "middle" }, `move ${i + 2}`));
}
