// Measures over time: pictures and tables that several views share.

import { el, table } from "./dom.js";
import { COLOURS, lines } from "./plot.js";

// Measures by what they are of, so that a picture has one scale: [[title, measures]].
export function groups(measures) {
    const found = new Map();
    for (const m of measures) {
        const kind = /^(throughput|population|utilisation|probability):/.exec(m.name);
        const title = kind ? kind[1][0].toUpperCase() + kind[1].slice(1) : "Measures";
        found.set(title, [...(found.get(title) || []), m]);
    }
    return [...found];
}

function shortName(measure, title) {
    const prefix = `${title.toLowerCase()}:`;
    return measure.name.startsWith(prefix) ? measure.name.slice(prefix.length) : measure.name;
}

// A picture for each group of measures.  series(measure): what plot.lines takes, without names.
export function timePictures(view, measures, series) {
    for (const [title, of] of groups(measures)) {
        const shown = of.slice(0, COLOURS);
        const drawn = shown.flatMap((m) => series(m).map((s) => ({ ...s,
            name: [shortName(m, title), s.name].filter(Boolean).join(", ") })));
        const picture = lines(`${title} over time`, drawn, { x: "time", y: title.toLowerCase() });
        view.add(el("h3", {}, title), picture,
            of.length > shown.length ? el("p", { class: "quiet" },
                `The first ${shown.length} of ${of.length}; name measures to choose others.`) : null);
        view.offerSvg(of.length === 1 ? of[0].name.replace(/\W+/g, "-") : title.toLowerCase(), picture);
    }
}

// The numbers behind a picture, for those who cannot see it.
export function numbers(columns, rows) {
    return el("details", {}, el("summary", {}, "Numbers"), table("Numbers", columns, rows));
}
