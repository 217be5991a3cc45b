// The workbench: the editor, its findings, and the views on the model.

import { Editor } from "./editor.js";
import { Findings } from "./findings.js";
import { View } from "./form.js";
import { FIRST, Model } from "./model.js";
import { Tabs } from "./tabs.js";
import { fluidView, sensitivityView } from "./view_compare.js";
import { cslView } from "./view_csl.js";
import { experimentView } from "./view_experiment.js";
import { exportView } from "./view_export.js";
import { fitView } from "./view_fit.js";
import { mappingView } from "./view_mapping.js";
import { optimiseView } from "./view_optimise.js";
import { solveView } from "./view_solve.js";
import { statesView } from "./view_states.js";
import { structureView } from "./view_structure.js";
import { passageView, timeView } from "./view_time.js";
import { walkView } from "./view_walk.js";

const PAUSE = 15; // milliseconds without a key before the model is looked at
const LIVE = [["max-states", "100000"]];

let started = false; // there is a model
let large = false; // it had too many states: what would answer without a chain (0.4 s) is not asked for again

const byId = (id) => document.getElementById(id);
const editor = new Editor(byId("editor"), "Model in PEPA", "findings", 26);
const model = new Model(editor);
const findings = new Findings(editor, byId("findings"));
const SPECS = [solveView, structureView, statesView, timeView, passageView, experimentView, walkView,
    sensitivityView, optimiseView, cslView, fluidView, fitView, exportView, mappingView];
const views = SPECS.map((spec) => {
    const view = new View(model, spec);
    return { id: spec.id, title: spec.title, node: view.node, view, changed: () => spec.changed && spec.changed(view),
        shown: () => spec.shown && started && spec.shown(view) };
});
const solve = views[0].view;
const tabs = new Tabs(byId("tabs"), byId("views"), views);

// Answers come while the model is written.  A solution has the warnings of a check; only where there is
// none does another job look for errors.
async function look() {
    const began = performance.now();
    const quiet = large;
    const result = await solve.run(quiet ? [...LIVE, ["quiet"]] : LIVE);
    if (result === undefined) return;
    large = Boolean(result && result.exit === 4);
    const says = result && !(quiet && result.exit === 0) && findings.known(result, model.name);
    if (!says && await findings.check(model.name) === null) return;
    document.body.dataset.answered = String(performance.now() - began);
}

let timer = 0;
editor.onChange(() => {
    for (const each of views) {
        each.changed();
        if (each.view !== solve && !SPECS.find((s) => s.id === each.id).own) each.view.stale();
    }
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE);
});

function showPlace() {
    const [line, column] = editor.place();
    byId("place").textContent = `Line ${line}, column ${column}`;
}
document.addEventListener("selectionchange", () => {
    if (document.activeElement === editor.area) showPlace();
});

document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        views[tabs.chosen].view.run();
    }
});

byId("open").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) model.open(file.name, await file.text());
    event.target.value = "";
});
byId("save").addEventListener("click", () => model.save());
addEventListener("beforeunload", (event) => {
    if (model.unsaved) event.preventDefault();
});

const start = await (await fetch("start")).json();
model.open(start.name || "model.pepa", start.text ?? FIRST);
showPlace();
started = true;
views[tabs.chosen].shown();
