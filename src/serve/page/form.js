// A view: a form that makes a command, the job, and what it answers.

import { el, newId } from "./dom.js";
import { commandLine, failure, run } from "./run.js";
import { csvText, saveSvg, saveText } from "./save.js";

// { name, label, kind: "text" | "number" | "lines" | "check" | "select", value, choices, hint, wide }
function control(field) {
    const id = newId(field.name);
    const hint = field.hint ? el("small", { id: `${id}-hint` }, field.hint) : null;
    const shared = { id, name: field.name, "aria-describedby": hint ? hint.id : undefined };
    let input;
    if (field.kind === "select")
        input = el("select", shared, field.choices.map(([value, label]) =>
            el("option", { value }, label || value)));
    else if (field.kind === "lines")
        input = el("textarea", { ...shared, rows: field.rows || 2, spellcheck: "false" });
    else
        input = el("input", { ...shared, type: field.kind === "check" ? "checkbox" : "text",
            list: field.list, autocomplete: "off", spellcheck: "false" });
    if (field.kind === "check") input.checked = Boolean(field.value);
    else if (field.value !== undefined) input.value = field.value;
    const label = el("label", { for: id }, field.label);
    const node = el("div", { class: `field ${field.kind || "text"}${field.wide ? " wide" : ""}` },
        field.kind === "check" ? [input, label] : [label, input], hint);
    return { node, input };
}

// Of a run while the model is written: what the place below the editor says in more words.
const LIVE = { 1: "The model has errors.", 4: "This model is solved on request: Solve, or Ctrl+Enter." };

export class View {
    // spec: { id, title, about, fields, action, request(values), show(result, view, values) }.
    // request gives { command, options, ... }, or throws an Error that says what is missing.
    constructor(model, spec) {
        this.model = model;
        this.spec = spec;
        this.job = null;
        this.inputs = {};
        this.status = el("p", { class: "status", role: "status", id: newId("status") });
        this.result = el("div", { class: "result" });
        this.downloads = el("div", { class: "downloads" });
        this.runButton = el("button", { type: "submit", class: "run" }, spec.action || "Run");
        this.cancelButton = el("button", { type: "button", hidden: true,
            onclick: () => this.cancel() }, "Cancel");
        const controls = el("div", { class: "fields" }), checks = el("div", { class: "checks" });
        for (const field of spec.fields) {
            const made = control(field);
            this.inputs[field.name] = made.input;
            (field.kind === "check" ? checks : controls).append(made.node);
        }
        this.form = el("form", { onsubmit: (event) => {
            event.preventDefault();
            this.run();
        } }, controls, checks,
            el("div", { class: "buttons" }, this.runButton, this.cancelButton));
        this.node = el("div", {}, el("p", { class: "quiet" }, spec.about), this.form, this.status,
            this.result, this.downloads);
        if (spec.made) spec.made(this);
    }

    saveText(name, text) {
        saveText(name, text);
    }

    saveSvg(name, picture) {
        saveSvg(name, picture);
    }

    values() {
        const values = {};
        for (const [name, input] of Object.entries(this.inputs))
            values[name] = input.type === "checkbox" ? input.checked : input.value.trim();
        return values;
    }

    say(text, kind = "") {
        this.status.className = `status ${kind}`;
        this.status.textContent = text;
    }

    busy(is) {
        this.cancelButton.hidden = !is;
        this.result.setAttribute("aria-busy", is);
    }

    cancel() {
        if (this.job) this.job.cancel();
        this.job = null;
        this.busy(false);
        this.say("Cancelled.");
    }

    // Run what the form says.  Returns the result of the job; null: there is none; undefined: another
    // run has begun.
    async run(extra = []) {
        if (this.job) this.job.cancel();
        const values = this.values();
        let request;
        try {
            request = this.spec.request(values, this);
        } catch (error) {
            this.say(error.message, "error");
            return null;
        }
        request = { text: this.model.text, ...request, options: [...request.options, ...extra] };
        const job = this.job = run(request, (p) =>
            this.say(p.progress || `Running for ${p.seconds.toFixed(1)} s`));
        this.busy(true);
        try {
            const result = await job.done;
            if (this.job !== job) return undefined;
            await this.finish(job, result, { ...request, options: request.options.slice(0, request.options.length - extra.length) }, values,
                extra.length > 0);
            return result;
        } catch (error) {
            if (this.job !== job) return undefined;
            this.fail(error.message);
            return null;
        }
    }

    async finish(job, result, request, values, live) {
        const why = live && LIVE[result.exit] || failure(result);
        if (why) {
            this.fail(why, result);
            return;
        }
        this.result.classList.remove("old");
        this.downloads.replaceChildren();
        this.result.replaceChildren();
        await this.spec.show(result, this, values);
        if (this.job !== job) return; // another has begun
        this.job = null;
        this.busy(false);
        this.offerCommand(request);
        this.say(`Done in ${result.seconds.toFixed(3)} s, ${(result.peak / 1048576).toFixed(1)} MiB.`);
    }

    fail(message, result = null) {
        if (this.spec.failed) this.spec.failed(this, result);
        this.job = null;
        this.busy(false);
        this.say(message.replaceAll("<stdin>", this.spec.file ? this.spec.file() : this.model.name), "error");
        this.result.classList.add("old");
    }

    add(...nodes) {
        this.result.append(...nodes.filter(Boolean));
    }

    // The text has changed: what is shown is of the one before.
    stale() {
        if (!this.result.childElementCount || this.result.classList.contains("old")) return;
        this.result.classList.add("old");
        this.say("The model has changed since: run it again.");
    }

    // There is no result of the present text.
    get empty() {
        return !this.result.childElementCount || this.result.classList.contains("old");
    }

    // What can be downloaded.
    offer(label, save) {
        this.downloads.append(el("button", { type: "button", onclick: save }, label));
    }

    offerCsv(name, columns, rows) {
        this.offer(`${name}.csv`, () => saveText(`${name}.csv`, csvText(columns, rows), "text/csv"));
    }

    offerSvg(name, picture) {
        this.offer(`${name}.svg`, () => saveSvg(`${name}.svg`, picture));
    }

    offerJson(name, text) {
        this.offer(`${name}.json`, () => saveText(`${name}.json`, text, "application/json"));
    }

    offerCommand(request) {
        const line = commandLine(request, this.spec.file ? this.spec.file() : this.model.name);
        this.offer("command.sh", () => saveText("command.sh", `#!/bin/sh\n${line}\n`));
        this.downloads.append(el("p", { class: "command" }, "The same at a terminal: ",
            el("code", {}, line)));
    }
}

// Lines of a field that are not empty, as options.
export function eachLine(text, option) {
    return text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => [option, line]);
}

// An option that has a value only if the field has.
export function given(option, value) {
    return value ? [[option, value]] : [];
}
