// Measures while one or two rates vary.

import { el, table } from "./dom.js";
import { eachLine } from "./form.js";
import { COLOURS, heat, lines } from "./plot.js";

const MOST = 12; // pictures

function one(view, data) {
    const [axis] = data.vary;
    data.measures.slice(0, MOST).forEach((name, m) => {
        const picture = lines(`${name} by ${axis.rate}`, [{ name, x: axis.values, y: data.rows.map((r) => r[1 + m]) }],
            { x: axis.rate, y: name.length > 40 ? "measure" : name });
        view.add(el("h3", {}, name), picture);
        view.offerSvg(`experiment-${m + 1}`, picture);
    });
}

// rows[i]: the values of a measure at value i of the first rate.
function square(data, m) {
    const inner = data.vary[1].values.length;
    return data.vary[0].values.map((_, i) => data.rows.slice(i * inner, (i + 1) * inner).map((r) => r[2 + m]));
}

function two(view, data) {
    const [outer, inner] = data.vary;
    data.measures.slice(0, MOST).forEach((name, m) => {
        const values = square(data, m);
        const grid = heat(`${name} by ${outer.rate} and ${inner.rate}`, inner.values, outer.values, values,
            { x: inner.rate, y: outer.rate });
        view.add(el("h3", {}, name), grid);
        view.offerSvg(`experiment-${m + 1}`, grid);
        const [few, many] = outer.values.length <= inner.values.length ? [outer, inner] : [inner, outer];
        if (few.values.length <= COLOURS) {
            const curve = (i) => few === outer ? values[i] : values.map((line) => line[i]);
            const curves = lines(`${name} by ${many.rate}`, few.values.map((v, i) => ({
                name: `${few.rate} = ${v}`, x: many.values, y: curve(i) })), { x: many.rate, y: name });
            view.add(curves);
            view.offerSvg(`experiment-${m + 1}-lines`, curves);
        }
    });
}

function show(result, view) {
    const data = JSON.parse(result.output);
    (data.vary.length === 1 ? one : two)(view, data);
    if (data.measures.length > MOST)
        view.add(el("p", { class: "quiet" }, `The first ${MOST} of ${data.measures.length} measures; name measures to choose others.`));
    const columns = [...data.vary.map((a) => a.rate), ...data.measures];
    view.add(el("details", {}, el("summary", {}, "Numbers"), table("Numbers", columns, data.rows)));
    view.offerCsv("experiment", columns, data.rows);
    view.offerJson("experiment", result.output);
}

function varied(rate, values) {
    if (!rate && !values) return [];
    if (!rate || !values) throw new Error("A rate that varies needs a name and values, such as 0.1:2:0.1.");
    return [["vary", `${rate}=${values}`]];
}

export const experimentView = {
    id: "experiment", title: "Experiment",
    about: "Measures in the long run while one or two rates vary.",
    fields: [
        { name: "rate1", label: "Rate", list: "known-rates" },
        { name: "values1", label: "Values", hint: "from:to:step, log:from:to:points, or v,v,v" },
        { name: "rate2", label: "Second rate", list: "known-rates" },
        { name: "values2", label: "Its values" },
        { name: "measures", label: "Measures", kind: "lines", hint: "one to a line; none: all throughputs and populations" }
    ],
    request(v) {
        const vary = [...varied(v.rate1, v.values1), ...varied(v.rate2, v.values2)];
        if (!vary.length) throw new Error("Name a rate and its values, such as 0.1:2:0.1.");
        return { command: "experiment", options: [["json"], ...vary, ...eachLine(v.measures, "measure")] };
    },
    show
};
