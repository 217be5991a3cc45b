// Errors and warnings, while the model is written: the same that 'pepa check' prints.

import { el } from "./dom.js";
import { run } from "./run.js";

const LIVE_STATES = "100000"; // beyond that, only on request

// How long the underlined text is, by what the command prints: a line of ^~~~ under an excerpt.
function lengths(messages) {
    const found = new Map();
    let place = null;
    for (const line of messages.split("\n")) {
        const begins = /^[^:\s]+:(\d+):(\d+): /.exec(line);
        if (begins) place = `${begins[1]}:${begins[2]}`;
        else if (place && /^\s*\^~*\s*$/.test(line)) found.set(place, line.trim().length);
    }
    return found;
}

function bySource(result) {
    const length = lengths(result.messages), data = JSON.parse(result.output);
    return (data.diagnostics || data.warnings).map((d) =>
        ({ ...d, length: length.get(`${d.line}:${d.column}`) || 1 }));
}

// The line with the caret below, as the command prints it.
function excerpt(text, finding) {
    const line = text.split("\n")[finding.line - 1] || "";
    const before = line.slice(0, finding.column - 1).replace(/[^\t]/g, " ");
    return `${line}\n${before}^${"~".repeat(finding.length - 1)}`;
}

function item(finding, editor, name) {
    const place = finding.line ? `${name}:${finding.line}:${finding.column}: ` : "";
    const says = `${place}${finding.severity}: ${finding.message}`;
    if (!finding.line) return el("li", { class: finding.severity }, el("p", {}, says));
    return el("li", { class: finding.severity },
        el("button", { type: "button", class: "link", title: "Go there",
            onclick: () => editor.go(finding.line, finding.column) }, says),
        el("pre", {}, excerpt(editor.text, finding)));
}

export class Findings {
    constructor(editor, place) {
        this.editor = editor;
        this.place = place;
        this.job = null;
    }

    // Show what a solution says of the text; false: it does not say whether there are errors.
    known(result, name) {
        const many = result.exit === 4 && result.messages.includes(LIVE_STATES);
        if (result.exit !== 0 && !many) return false;
        if (this.job) this.job.cancel();
        this.job = null;
        this.show(result, name);
        return true;
    }

    // Look at the text; a promise of whether it is right, or null if another look has begun.
    async check(name) {
        if (this.job) this.job.cancel();
        const job = this.job = run({ command: "check", text: this.editor.text,
            options: [["json"], ["max-states", LIVE_STATES]] });
        let result;
        try {
            result = await job.done;
        } catch (error) {
            if (this.job === job)
                this.place.replaceChildren(el("p", { class: "error" }, error.message));
            return null;
        }
        if (this.job !== job) return null;
        return this.show(result, name);
    }

    show(result, name) {
        let findings = [];
        if (result.output) findings = bySource(result);
        const parts = findings.map((f) => item(f, this.editor, name));
        if (!result.output && result.exit === 4)
            parts.push(el("li", { class: "warning" }, el("p", {},
                `No errors until ${LIVE_STATES} states; there are more, which Solve or Ctrl+Enter looks at.`)));
        else if (!result.output)
            parts.push(el("li", { class: "warning" }, el("p", {}, result.messages.trim())));
        this.editor.show(findings.filter((f) => f.line));
        const bad = findings.filter((f) => f.severity === "error").length;
        this.place.replaceChildren(
            el("p", { class: bad ? "error" : "good" },
                bad ? `${bad} error${bad > 1 ? "s" : ""}` : parts.length ? "No errors" : "No errors, no warnings"),
            el("ul", { class: "findings" }, parts));
        return !bad;
    }
}
