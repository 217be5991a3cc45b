// A picture of the grid: processors on a circle, with the stages of a mapping on them, and the way
// that items take.

import { svg } from "./dom.js";
import { span } from "./scale.js";

const HEIGHT = 420, NODE = 34;

export function gridPicture(processors, mapping, stages, shares) {
    const title = `Mapping (${mapping.join(", ")}): ${mapping.map((p, i) => `${stages[i]} on ${p}`).join(", ")}`;
    const place = new Map(processors.map((name, i) => {
        const angle = 2 * Math.PI * i / processors.length - Math.PI / 2;
        return [name, processors.length === 1 ? [span() / 2, HEIGHT / 2]
            : [span() / 2 + (span() / 2 - 100) * Math.cos(angle), HEIGHT / 2 + 140 * Math.sin(angle)]];
    }));
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
            here.length ? svg("text", { x, y: y + NODE + 17, "text-anchor": "middle", class: "halo" }, here.join(", ")) : null,
            share === undefined ? null : svg("text", { x, y: y + NODE + 34, "text-anchor": "middle", class: "halo" },
                `${(100 * share).toFixed(0)}% of the time`));
    });
    return svg("svg", { viewBox: `0 0 ${span()} ${HEIGHT + 20}`, role: "img", class: "plot", "aria-label": title },
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
