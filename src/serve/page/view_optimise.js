// The rates and numbers of copies at which a measure is best.

import { el, shortNumber, table } from "./dom.js";
import { eachLine } from "./form.js";
import { bars } from "./plot.js";

const ENDED = { stationary: "The conditions of optimality hold: no small change of the rates is better." };

// Where a value lies in the range that a line "rate=low:high" names.
function ranges(text) {
    return new Map(text.split("\n").map((line) => /^\s*([^=\s]+)\s*=\s*([^:]+):(.+)$/.exec(line)).filter(Boolean)
        .map(([, rate, low, high]) => [rate, [low.trim(), high.trim()]]));
}

// Give the rates these values in the text of the model, where it defines them by a number.
function withRates(text, rates) {
    let found = text;
    for (const [rate, value] of Object.entries(rates))
        found = found.replace(new RegExp(`(^|[;\\s])(${rate}\\s*=\\s*)[-+0-9.eE]+(\\s*;)`), `$1$2${value}$3`);
    return found;
}

function show(result, view, values) {
    const data = JSON.parse(result.output), within = ranges(values.within);
    const rates = Object.entries(data.rates);
    const rows = rates.map(([rate, value]) => [rate, value, ...(within.get(rate) || [null, null])]);
    view.add(el("p", { class: "verdict good" }, `${data.objective.name} = ${shortNumber(data.objective.value)}`),
        el("p", { class: "quiet" }, [ENDED[data.ended] || `The search ended: ${data.ended}.`,
            data.global ? "It is the best of the whole range." : "Elsewhere in the range there may be better ones.",
            `${data.evaluations} evaluations, ${data.searches} searches.`].join("  ")));
    for (const warning of data.warnings) view.add(el("p", { class: "warning" }, warning.message));
    const picture = bars("Rates at which it is best", rates.map(([name, value]) => ({ name, value })));
    view.add(table("Rates", ["Rate", "Best", "From", "To"], rows), picture);
    const constraints = (data.constraints || []).map((c) => [c.name, c.value, c.bound, data.binding.includes(c.name) ? "yes" : "no"]);
    if (constraints.length) view.add(table("Constraints", ["Constraint", "Value", "Bound", "Binding"], constraints));
    const text = withRates(view.model.text, data.rates);
    if (text !== view.model.text)
        view.add(el("button", { type: "button", onclick: () => view.model.open(view.model.name, text) },
            "Put these rates into the model"));
    view.offerCsv("optimum", ["name", "value"], [[data.objective.name, data.objective.value], ...rates]);
    view.offerSvg("optimum", picture);
    view.offerJson("optimum", result.output);
}

export const optimiseView = {
    id: "optimise", title: "Optimise", action: "Optimise",
    about: "The rates, or numbers of copies, at which a measure of the long run is best.",
    fields: [
        { name: "goal", label: "Goal", kind: "select", choices: [["maximise", "as large as it can be"], ["minimise", "as small as it can be"]] },
        { name: "objective", label: "Measure", wide: true, list: "known-measures", hint: "such as throughput:serve - rate:mu / 2" },
        { name: "within", label: "Rates and their ranges", kind: "lines", hint: "one to a line, such as mu=0.5:4" },
        { name: "subject", label: "Constraints", kind: "lines", hint: "one to a line, such as population:Job <= 3" }
    ],
    request(v) {
        if (!v.objective) throw new Error("Name the measure that is to be best, such as throughput:serve.");
        if (!v.within) throw new Error("Name at least one rate and its range, such as mu=0.5:4.");
        return { command: "optimise", options: [["json"], [v.goal, v.objective], ...eachLine(v.within, "within"),
            ...eachLine(v.subject, "subject")] };
    },
    show
};
