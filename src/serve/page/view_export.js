// The model and its chain in formats of other tools.

import { el } from "./dom.js";
import { eachLine } from "./form.js";

const SHOWN = 200; // lines
const FORMATS = [["tra", "tra: transitions, for PRISM and MRMC"], ["sta", "sta: states, for PRISM"],
    ["lab", "lab: labels, for PRISM and MRMC"], ["drn", "drn: the chain, for Storm"],
    ["mtx", "mtx: the generator, as Matrix Market"], ["csv", "csv: transitions as a table"],
    ["dot", "dot: a graph, for Graphviz"], ["pepa", "pepa: the model, written anew"]];

function show(result, view, values) {
    const lines = result.output.split("\n"), name = `${view.model.name.replace(/^.*\//, "").replace(/\.pepa$/, "")}.${values.format}`;
    const more = lines.length - 1 - SHOWN;
    view.offer(name, () => view.saveText(name, result.output));
    view.add(el("pre", { class: "text", tabindex: "0", role: "region", "aria-label": name }, lines.slice(0, SHOWN).join("\n")),
        more > 0 ? el("p", { class: "quiet" }, `${more.toLocaleString("en")} more lines are in the file.`) : null);
}

export const exportView = {
    id: "export", title: "Export", action: "Export",
    about: "The model and its Markov chain in formats that other tools read.",
    fields: [
        { name: "format", label: "Format", kind: "select", choices: FORMATS },
        { name: "labels", label: "Labels", kind: "lines", hint: "of lab and drn; one to a line, such as full = Job >= 10" },
        { name: "actions", label: "A transition for each action, with its name (tra)", kind: "check" }
    ],
    request: (v) => ({ command: "export", options: [["format", v.format], ...eachLine(v.labels, "label"),
        ...(v.actions ? [["actions"]] : [])] }),
    show
};
