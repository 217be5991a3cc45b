// A distribution of measured durations that a model can have: the fit, and how well it fits.

import { el, table } from "./dom.js";
import { Editor } from "./editor.js";
import { given } from "./form.js";
import { bars, lines } from "./plot.js";
import { failure, run } from "./run.js";
import { numbers } from "./series.js";

// Made up: short services, and a few long ones.
const FIRST = ["# seconds", 0.21, 0.44, 0.09, 1.32, 0.65, 0.27, 4.7, 0.58, 0.13, 0.36, 0.91, 7.9, 0.18, 0.49, 0.75,
    0.31, 5.6, 0.07, 1.05, 0.24, 0.53, 0.83, 3.1, 0.4, 0.16].join("\n") + "\n";

// Shares of the durations up to each: [values, shares].
function empirical(durations) {
    const sorted = [...durations].sort((a, b) => a - b);
    return [[0, ...sorted.flatMap((d) => [d, d])],
        [0, ...sorted.flatMap((_, i) => [i / sorted.length, (i + 1) / sorted.length])]];
}

// The distribution function of the fit, from the engine: how long from one completion of the fitted
// component's action to the next.
async function fitted(states, action, until) {
    const first = /^\w+/.exec(states)[0];
    const result = await run({ command: "passage", text: `${states}${first}`, options: [["json"],
        ["from-action", action], ["to-action", action], ["until", String(until)], ["points", "200"]] }).done;
    const why = failure(result);
    if (why) throw new Error(why);
    return JSON.parse(result.output);
}

function durationsIn(text) {
    return text.split("\n").map((line) => line.replace(/#.*/, "").trim()).filter(Boolean).map(Number).filter(Number.isFinite);
}

async function show(result, view, values) {
    const data = JSON.parse(result.output), action = values.action || "work";
    const best = data.candidates[data.chosen];
    const moments = ["mean", "variance", "skewness"].map((m) => [m, data.empirical[m], data.fitted[m]]);
    const tests = [["Kolmogorov-Smirnov", data.kolmogorov_smirnov], ["Cramér-von Mises", data.cramer_von_mises]]
        .map(([name, t]) => [name, t.distance, t.p_value]);
    view.add(el("p", { class: "verdict good" }, `${data.family}, ${data.phases} phase${data.phases > 1 ? "s" : ""}, from ${data.samples} durations`));
    for (const warning of data.warnings) view.add(el("p", { class: "warning" }, warning.message));
    view.add(el("h3", {}, "In a model"), el("pre", { class: "text", tabindex: "0", role: "region", "aria-label": "The activity, to paste into a model" },
        data.definition));
    const durations = durationsIn(view.durations.text);
    if (durations.length) {
        const curve = await fitted(data.states, action, Math.max(...durations) * 1.1);
        const [x, y] = empirical(durations);
        const picture = lines("Durations and the fit", [{ name: "measured", x, y }, { name: "fitted", x: curve.time, y: curve.cdf }],
            { x: "duration", y: "share that is over" });
        view.add(el("h3", {}, "Durations and the fit"), picture, numbers(["time", "fitted"], curve.time.map((t, i) => [t, curve.cdf[i]])));
        view.offerSvg("fit", picture);
    }
    const candidates = data.candidates.map((c) => [c.family, c.phases, c.parameters, c.log_likelihood, c.aic, c.bic]);
    const columns = ["Family", "Phases", "Parameters", "Log-likelihood", "AIC", "BIC"];
    const behind = bars("Candidates: BIC above that of the best", data.candidates.slice(0, 20)
        .map((c) => ({ name: `${c.family} ${c.phases}${c === best ? " (chosen)" : ""}`, value: Math.max(0, c.bic - best.bic) })));
    view.add(table("Moments", ["", "Measured", "Fitted"], moments), table("Tests of the fit", ["Test", "Distance", "p-value"], tests),
        el("h3", {}, "Candidates"), behind, table("Candidates", columns, candidates));
    view.offerCsv("candidates", columns, candidates);
    view.offer("component.pepa", () => view.saveText("component.pepa", data.states));
    view.offerJson("fit", result.output);
}

export const fitView = {
    id: "fit", title: "Fit", action: "Fit",
    about: "Rates of a phase-type distribution from measured durations, one to a line, to paste into a model.",
    fields: [
        { name: "family", label: "Family", kind: "select", choices: [["", "any"], ["erlang"], ["hyper"], ["hyper-erlang"], ["cox"]] },
        { name: "phases", label: "Phases", hint: "none: chosen" },
        { name: "criterion", label: "Chosen by", kind: "select", choices: [["", "BIC"], ["aic", "AIC"]] },
        { name: "action", label: "Action", value: "work" },
        { name: "tested", label: "p-values, by samples drawn from the fit", kind: "check", value: true }
    ],
    made(view) {
        const place = el("div"), file = el("input", { type: "file", accept: ".txt,.csv,text/plain",
            onchange: async () => {
                if (file.files[0]) view.durations.text = await file.files[0].text();
                file.value = "";
            } });
        view.form.prepend(place, el("label", { class: "button" }, "Open durations", file));
        view.durations = new Editor(place, "Durations", view.status.id, 8);
        view.durations.text = FIRST;
        view.durations.onChange(() => view.stale());
    },
    request: (v, view) => ({ command: "fit", text: view.durations.text, options: [["json"], ["states"], ...given("family", v.family),
        ...given("phases", v.phases), ...given("criterion", v.criterion), ...given("action", v.action),
        ...(v.tested ? [] : [["no-test"]])] }),
    failed(view, result) {
        const places = [...((result && result.messages) || "").matchAll(/^<stdin>:(\d+):(\d+): (error|warning)/gm)];
        view.durations.show(places.map((m) => ({ line: Number(m[1]), column: Number(m[2]), severity: m[3], length: 1 })));
    },
    own: true, // has a text of its own
    file: () => "durations.txt",
    show
};
