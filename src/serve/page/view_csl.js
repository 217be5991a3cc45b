// Model checking: does a formula of CSL hold, and how probable is it?

import { el, shortNumber, table } from "./dom.js";

// What is known of a formula, in words: [class, text].
function verdict(data) {
    if (data.infinite) return ["", "The value is infinite."];
    if (data.holds === null) return ["good", `The value is ${shortNumber(data.value)}.`];
    return data.holds ? ["good", "The formula holds in the initial state."]
        : ["error", "The formula does not hold in the initial state."];
}

function show(result, view) {
    const data = JSON.parse(result.output);
    const [kind, words] = verdict(data);
    const facts = [["formula", data.formula], ["value", data.value], ["holds", data.holds === null ? null : String(data.holds)],
        ["its error is at most", data.error_bound], ["states", data.states], ["steps of uniformisation", data.steps]];
    view.add(el("p", { class: `verdict ${kind}` }, words));
    for (const warning of data.warnings) view.add(el("p", { class: "warning" }, warning.message));
    view.add(table("Formula", ["", "Value"], facts));
    view.offerCsv("formula", ["formula", "value", "holds", "error bound"],
        [[data.formula, data.value, data.holds, data.error_bound]]);
    view.offerJson("formula", result.output);
}

export const cslView = {
    id: "check", title: "Check", action: "Check",
    about: "Does a formula of CSL hold in the initial state?  With =? in place of a bound: how probable is it?",
    fields: [
        { name: "formula", label: "Formula", kind: "lines", wide: true,
            hint: "such as P>=0.9 [ true U[0,5] {Job >= 2} ], or S=? [ {Job == 0} ] in the long run" },
        { name: "tolerance", label: "Tolerance", hint: "of the probability" }
    ],
    request(v) {
        if (!v.formula) throw new Error("Write a formula, such as P=? [ true U[0,5] {Job >= 2} ].");
        return { command: "check", options: [["json"], ["csl", v.formula.replace(/\s+/g, " ")],
            ...(v.tolerance ? [["tolerance", v.tolerance]] : [])] };
    },
    show
};
