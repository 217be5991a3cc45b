// How a measure depends on the rates; large populations, by differential equations and by simulation.

import { el, table } from "./dom.js";
import { eachLine, given } from "./form.js";
import { tornado } from "./plot.js";
import { numbers, timePictures } from "./series.js";

function showSensitivity(result, view) {
    const data = JSON.parse(result.output);
    const relative = data.rates.every((r) => r.elasticity !== null);
    const key = relative ? "elasticity" : "derivative";
    const picture = tornado(`${key} of ${data.measure.name} by each rate`,
        data.rates.slice(0, 30).map((r) => ({ name: r.rate, value: r[key] })),
        key);
    const columns = ["rate", "value", "derivative", "elasticity"];
    const rows = data.rates.map((r) => columns.map((c) => r[c]));
    view.add(el("p", {}, `${data.measure.name} = ${data.measure.value}`), picture, table("Rates, the largest elasticity first", columns, rows));
    view.offerCsv("sensitivity", columns, rows);
    view.offerSvg("sensitivity", picture);
    view.offerJson("sensitivity", result.output);
}

export const sensitivityView = {
    id: "sensitivity", title: "Sensitivity",
    about: "How a measure depends on each rate.  Elasticity: by how many per cent the measure changes if the rate changes by one.",
    fields: [{ name: "of", label: "Measure", list: "known-measures", hint: "such as throughput:serve" }],
    request(v) {
        if (!v.of) throw new Error("Name a measure, such as throughput:serve.");
        return { command: "sensitivity", options: [["json"], ["of", v.of]] };
    },
    show: showSensitivity
};

const around = (value, by, sign) => value.map((v, i) => v === null || by[i] === null ? null : v + sign * by[i]);

function seriesOf(measure, time) {
    const found = [];
    const { exact, simulate, fluid } = measure;
    if (fluid) found.push({ name: "fluid", x: time, y: fluid.value,
        ...(fluid.deviation && fluid.deviation.some((d) => d !== null)
            ? { low: around(fluid.value, fluid.deviation, -1), high: around(fluid.value, fluid.deviation, 1) } : {}) });
    if (simulate) found.push({ name: "simulated", x: time, y: simulate.value, low: simulate.low, high: simulate.high });
    if (exact) found.push({ name: "exact", x: time, y: exact.value });
    return found;
}

function showFluid(result, view) {
    const data = JSON.parse(result.output);
    for (const w of data.warnings) view.add(el("p", { class: "warning" }, w.message));
    view.add(el("p", { class: "quiet" }, "The band of the fluid limit is its standard deviation; that of the simulation its 95% confidence interval."));
    for (const measure of data.measures)
        timePictures(view, [measure], (m) => seriesOf(m, data.time));
    const columns = ["time"], lists = [data.time];
    for (const m of data.measures)
        for (const s of seriesOf(m, data.time))
            for (const part of ["y", "low", "high"])
                if (s[part]) {
                    columns.push(`${m.name} ${s.name}${part === "y" ? "" : ` ${part}`}`);
                    lists.push(s[part]);
                }
    const rows = data.time.map((_, i) => lists.map((list) => list[i]));
    view.add(numbers(columns, rows));
    view.offerCsv("compare", columns, rows);
    view.offerJson("compare", result.output);
}

export const fluidView = {
    id: "fluid", title: "Fluid",
    about: "Large populations: the fluid limit against simulation, side by side; for small ones also the exact means.",
    fields: [
        { name: "until", label: "Until time", value: "10" },
        { name: "points", label: "Steps", value: "50" },
        { name: "measures", label: "Measures", kind: "lines", hint: "one to a line, such as population:Job" },
        { name: "exact", label: "Exact as well", kind: "check" }
    ],
    request: (v) => ({ command: "transient", options: [["json"], ["compare", v.exact ? "exact,simulate,fluid" : "simulate,fluid"],
        ["until", v.until], ...given("points", v.points), ...eachLine(v.measures, "measure")] }),
    show: showFluid
};
