// The editor: a textarea, with the numbers of its lines beside it and marks behind it.
//
// A textarea is what browsers and screen readers know best: undo, selection, input methods and the
// keyboard are theirs.  The marks are a copy of the text behind it, in transparent letters, of which
// those places are underlined that findings name.

import { el } from "./dom.js";

// The text with marks, as nodes.  findings: of a line from 1, a column from 1 and a length.
function marked(text, findings) {
    const nodes = [];
    text.split("\n").forEach((line, i) => {
        let at = 0;
        const here = findings.filter((f) => f.line === i + 1).sort((a, b) => a.column - b.column);
        for (const f of here) {
            const begin = Math.max(at, Math.min(f.column - 1, line.length));
            const end = Math.max(begin + 1, f.column - 1 + f.length);
            nodes.push(line.slice(at, begin),
                el("mark", { class: f.severity }, line.slice(begin, end) || " "));
            at = Math.min(end, line.length);
        }
        nodes.push(line.slice(at) + "\n");
    });
    return nodes;
}

export class Editor {
    // label: its name; describedBy: the id of what says more about its text.
    constructor(parent, label, describedBy, rows = 20) {
        this.numbers = el("pre", { class: "numbers", "aria-hidden": "true" });
        this.marks = el("pre", { class: "marks", "aria-hidden": "true" });
        this.area = el("textarea", {
            "aria-label": label, "aria-describedby": describedBy, spellcheck: "false", rows,
            autocomplete: "off", autocapitalize: "off", wrap: "off",
            onscroll: () => this.scroll(), oninput: () => this.changed()
        });
        this.listeners = [];
        parent.append(el("div", { class: "editor" }, this.numbers,
            el("div", { class: "paper" }, this.marks, this.area)));
        this.findings = [];
    }

    get text() {
        return this.area.value;
    }

    set text(text) {
        this.area.value = text;
        this.changed();
    }

    onChange(listener) {
        this.listeners.push(listener);
    }

    changed() {
        this.show([]);
        for (const listener of this.listeners) listener(this.text);
    }

    // Underline these places.
    show(findings) {
        this.findings = findings;
        const lines = this.text.split("\n").length;
        const of = new Map(findings.map((f) => [f.line, f.severity]));
        this.numbers.replaceChildren(...Array.from({ length: lines }, (_, i) =>
            el("span", { class: of.get(i + 1) }, `${i + 1}\n`)));
        this.marks.replaceChildren(...marked(this.text, findings));
        this.area.setAttribute("aria-invalid", findings.some((f) => f.severity === "error"));
        this.scroll();
    }

    scroll() {
        this.marks.scrollTop = this.numbers.scrollTop = this.area.scrollTop;
        this.marks.scrollLeft = this.area.scrollLeft;
    }

    // Put the caret there, both from 1.
    go(line, column) {
        const before = this.text.split("\n").slice(0, line - 1);
        const at = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
        this.area.focus();
        this.area.setSelectionRange(at, at);
        const height = this.area.scrollHeight / this.text.split("\n").length;
        this.area.scrollTop = Math.max(0, (line - 5) * height);
    }

    // Where the caret is: [line, column], from 1.
    place() {
        const before = this.text.slice(0, this.area.selectionStart).split("\n");
        return [before.length, before[before.length - 1].length + 1];
    }
}
