// The workbench: the editor, its findings, and the views on the model.

import { Editor } from "./editor.js";
import { Findings } from "./findings.js";
import { View } from "./form.js";
import { FIRST, Model } from "./model.js";
import { saveText } from "./save.js";
import { Tabs } from "./tabs.js";
import { solveView } from "./view_solve.js";

const PAUSE = 15; // milliseconds without a key before the model is looked at
const LIVE = [["max-states", "100000"]];

const byId = (id) => document.getElementById(id);
const editor = new Editor(byId("editor"), "Model in PEPA", "findings");
const model = new Model(editor);
const findings = new Findings(editor, byId("findings"));
const views = [solveView].map((spec) => {
    const view = new View(model, spec);
    return { id: spec.id, title: spec.title, node: view.node, shown: () => spec.shown && spec.shown(view), view };
});
const solve = views[0].view;
const tabs = new Tabs(byId("tabs"), byId("views"), views);

// Answers come while the model is written: the check and the solution side by side.
async function look() {
    const began = performance.now();
    const solving = solve.run(LIVE);
    const good = await findings.check(model.name);
    if (good === null) return;
    await solving;
    document.body.dataset.answered = String(performance.now() - began);
}

let timer = 0;
editor.onChange(() => {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE);
});

function showPlace() {
    const [line, column] = editor.place();
    byId("place").textContent = `Line ${line}, column ${column}`;
}
editor.area.addEventListener("keyup", showPlace);
editor.area.addEventListener("click", showPlace);

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
byId("save").addEventListener("click", () => saveText(model.name.replace(/^.*\//, ""), model.text));

const start = await (await fetch("start")).json();
model.open(start.name || "model.pepa", start.text ?? FIRST);
showPlace();
