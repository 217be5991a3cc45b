// The long run: throughputs, utilisation, population; and how sure they are.

import { el, shortNumber, table } from "./dom.js";
import { eachLine } from "./form.js";
import { bars, shares } from "./plot.js";

export const METHODS = ["auto", "direct", "gth", "gauss-seidel", "sor", "jacobi", "power",
    "bicgstab", "gmres"].map((m) => [m]);

function summary(data) {
    const s = data.solver;
    const facts = [["States", data.states], ["Transitions", data.transitions],
        ["Method", s.method], ["Residual", s.residual], ["Tolerance", s.tolerance]];
    if (data.deadlocks) facts.push(["Deadlocks", data.deadlocks]);
    if (data.bottom_components > 1) facts.push(["Bottom components", data.bottom_components]);
    return el("dl", { class: "facts" }, facts.map(([name, value]) =>
        el("div", {}, el("dt", {}, name), el("dd", {}, typeof value === "number" ? shortNumber(value) : value))));
}

function throughput(data) {
    const certified = data.certified && data.certified.throughput;
    const columns = ["Action", "Throughput"].concat(certified ? ["At least", "At most"] : []);
    const rows = Object.entries(data.throughput).sort((a, b) => b[1] - a[1]).map(([name, value]) =>
        [name, value].concat(certified ? (certified[name] || [null, null]).map(String) : []));
    return { columns, rows };
}

function certificate(data) {
    const c = data.certified;
    return c && el("p", { class: "good" },
        "Certified: the exact value of each throughput lies between its two bounds.");
}

function show(result, view) {
    const data = JSON.parse(result.output);
    view.model.learn(data);
    const flow = throughput(data);
    const population = Object.entries(data.population).sort((a, b) => b[1] - a[1]);
    const use = data.utilisation.map((u) => ({
        name: `${u.component}${u.copies > 1 ? `[${u.copies}]` : ""} (${u.position})`,
        parts: Object.entries(u.local).map(([name, value]) => ({ name, value }))
    }));
    const shown = use.slice(0, 40);
    const usePicture = shares("Utilisation: shares of time in local states", shown);
    const populationPicture = bars("Population: mean number of components in each local state",
        population.slice(0, 40).map(([name, value]) => ({ name, value })));
    view.add(summary(data));
    for (const warning of data.warnings)
        view.add(el("p", { class: "warning" }, warning.message));
    if (data.solver.caution) view.add(el("p", { class: "warning" }, data.solver.caution));
    if (data.measures) {
        const certified = "low" in (data.measures[0] || {});
        view.add(table("Measures", ["Measure", "Value"].concat(certified ? ["At least", "At most"] : []),
            data.measures.map((m) => [m.name, m.value].concat(certified ? [String(m.low), String(m.high)] : []))));
    }
    view.add(table("Throughput: completions per unit of time", flow.columns, flow.rows), certificate(data),
        el("h3", {}, "Utilisation"), usePicture,
        use.length > shown.length ? el("p", { class: "quiet" }, `The first ${shown.length} of ${use.length} components.`) : null,
        el("h3", {}, "Population"), populationPicture);
    view.add(el("details", {}, el("summary", {}, "Numbers"), table("Utilisation", ["Component", "Local state", "Share"],
        use.flatMap((u) => u.parts.map((p) => [u.name, p.name, p.value]))), table("Population", ["Local state", "Mean number"], population)));
    if (data.explain)
        view.add(el("h3", {}, "Why and how"), el("ul", {}, data.explain.map((line) => el("li", {}, line))));
    view.offerCsv("throughput", flow.columns, flow.rows);
    view.offerCsv("population", ["local state", "population"], population);
    view.offerCsv("utilisation", ["component", "local state", "share"], use.flatMap((u) => u.parts.map((p) => [u.name, p.name, p.value])));
    view.offerSvg("utilisation", usePicture);
    view.offerSvg("population", populationPicture);
    view.offerJson("solution", result.output);
}

export const solveView = {
    id: "solve", title: "Solve", action: "Solve",
    about: "Steady state.  Small models are solved while you write; Ctrl+Enter solves any.",
    fields: [
        { name: "measures", label: "Measures", kind: "lines", hint: "one to a line, such as response:{Job}" },
        { name: "method", label: "Method", kind: "select", choices: METHODS },
        { name: "certify", label: "Certify: bounds of the exact values", kind: "check" },
        { name: "explain", label: "Explain the choices", kind: "check" }
    ],
    request: (v) => ({ command: "solve", options: [["json"], ...eachLine(v.measures, "measure"),
        ...(v.method === "auto" ? [] : [["method", v.method]]),
        ...(v.certify ? [["certify"]] : []), ...(v.explain ? [["explain"]] : [])] }),
    show
};
