// Measures at given times, and how long it takes from one event to another.

import { el, table } from "./dom.js";
import { eachLine, given } from "./form.js";
import { lines } from "./plot.js";
import { numbers, timePictures } from "./series.js";

function showTime(result, view) {
    const data = JSON.parse(result.output);
    timePictures(view, data.measures, (m) => [{ name: "", x: data.time, y: m.value }]);
    const columns = ["time", ...data.measures.map((m) => m.name)];
    const rows = data.time.map((t, i) => [t, ...data.measures.map((m) => m.value[i])]);
    view.add(el("p", { class: "quiet" }, `Probabilities are within ${data.error_bound} of the exact ones.`),
        numbers(columns, rows));
    view.offerCsv("transient", columns, rows);
    view.offerJson("transient", result.output);
}

export const timeView = {
    id: "time", title: "Time",
    about: "Measures at given times, from the initial state, with a proved bound of the error.",
    fields: [
        { name: "until", label: "Until time", value: "10" },
        { name: "points", label: "Steps", value: "100" },
        { name: "measures", label: "Measures", kind: "lines", hint: "one to a line; none: all throughputs and populations" },
        { name: "accumulated", label: "Accumulated from time 0", kind: "check" }
    ],
    request: (v) => ({ command: "transient", options: [["json"], ["until", v.until], ...given("points", v.points),
        ...eachLine(v.measures, "measure"), ...(v.accumulated ? [["accumulated"]] : [])] }),
    show: showTime
};

function ends(v) {
    const from = v.start ? [["from-start"]] : [...given("from-action", v.fromAction), ...given("from", v.from)];
    const to = [...given("to-action", v.toAction), ...given("to", v.to)];
    if (!v.probe && (!from.length || !to.length))
        throw new Error("Name an action or a predicate at which the passage begins, and one at which it ends.");
    return [...from, ...to, ...given("probe", v.probe)];
}

function showPassage(result, view) {
    const data = JSON.parse(result.output);
    const marks = Object.entries(data.quantiles).filter(([, t]) => t !== null && t <= data.time[data.time.length - 1])
        .map(([q, t]) => [t, `${q}%`]);
    const x = data.time, axis = { x: "time", marks };
    const cdf = lines("Probability that it has ended", [{ name: "cdf", x, y: data.cdf }], { ...axis, y: "probability", low: true });
    const pdf = lines("Density", [{ name: "density", x, y: data.pdf }], { ...axis, y: "density" });
    const facts = [["mean", data.mean], ["standard deviation", data.variance === null ? null : Math.sqrt(data.variance)],
        ["ends with probability", data.ends], ...Object.entries(data.quantiles).map(([q, t]) => [`${q}% end within`, t])];
    const columns = ["time", "cdf", "pdf"], rows = x.map((t, i) => [t, data.cdf[i], data.pdf[i]]);
    view.add(table("Passage", ["", "Value"], facts), el("h3", {}, "Distribution"), cdf, el("h3", {}, "Density"), pdf,
        numbers(columns, rows));
    view.offerCsv("passage", columns, rows);
    view.offerSvg("distribution", cdf);
    view.offerSvg("density", pdf);
    view.offerJson("passage", result.output);
}

export const passageView = {
    id: "passage", title: "Passage",
    about: "How long it takes from one event to another: by actions, by predicates, or from the start.",
    fields: [
        { name: "fromAction", label: "From action", list: "known-actions", hint: "one or several, by commas" },
        { name: "toAction", label: "To action", list: "known-actions" },
        { name: "from", label: "or from predicate", hint: "such as Job >= 1" },
        { name: "to", label: "or to predicate" },
        { name: "until", label: "Until time", value: "10" },
        { name: "points", label: "Steps", value: "100" },
        { name: "quantiles", label: "Quantiles, per cent", value: "50,90,99" },
        { name: "probe", label: "Probe", hint: "such as Client:(request:start, response:stop)" },
        { name: "start", label: "From the initial state", kind: "check" }
    ],
    request: (v) => ({ command: "passage", options: [["json"], ...ends(v), ["until", v.until],
        ...given("points", v.points), ...given("quantiles", v.quantiles)] }),
    show: showPassage
};
