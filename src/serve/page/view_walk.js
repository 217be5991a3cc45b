// One step at a time.  The history is the page's: each step runs the whole walk again.

import { el, shortNumber, table } from "./dom.js";

class Walk {
    constructor(view) {
        this.view = view;
        this.lines = [];
        this.labels = [];
    }

    // Commands of `pepa walk`, and what the history calls them.
    take(line, label) {
        this.before = [this.lines, this.labels];
        this.lines = [...this.lines, line];
        this.labels = [...this.labels, label];
        return this.view.run();
    }

    backTo(count) {
        this.before = [this.lines, this.labels];
        this.lines = this.lines.slice(0, count);
        this.labels = this.labels.slice(0, count);
        return this.view.run();
    }

    // The last command was not possible.
    undo() {
        if (this.before) [this.lines, this.labels] = this.before;
        this.before = null;
    }

    show(state) {
        this.before = null;
        const steps = state.enabled.map((e) => [
            el("button", { type: "button", class: "step", "aria-label": `Step ${e.number}: ${e.action}, to ${e.state}`,
                onclick: () => this.take(String(e.number), e.action) }, `${e.number}: ${e.action}`),
            e.rate, e.probability, e.state]);
        const parts = state.components.map((c) => [c.copies > 1 ? `${c.component}[${c.copies}]` : c.component,
            Object.entries(c.local).map(([name, n]) => c.copies > 1 ? `${name}: ${n}` : name).join(", ")]);
        const history = [...this.labels.entries()];
        this.view.add(
            el("p", { class: "state" }, el("strong", {}, `Step ${state.step}: `), state.state),
            state.deadlock ? el("p", { class: "warning" }, "Deadlock: nothing is enabled here.") : null,
            el("div", { class: "buttons" },
                el("button", { type: "button", id: "walk-back", disabled: !this.lines.length, onclick: () => this.backTo(this.lines.length - 1) }, "Back"),
                el("button", { type: "button", disabled: !this.lines.length, onclick: () => this.backTo(0) }, "To the beginning"),
                el("button", { type: "button", onclick: () => this.take("r 1", "at random") }, "One step at random"),
                el("button", { type: "button", onclick: () => this.take("r 100", "100 at random") }, "100 steps")),
            steps.length ? table(`Enabled: ${shortNumber(state.exit)} per unit of time in all`, ["Step", "Rate", "Probability", "Leads to"], steps) : null,
            table("Components", ["Component", "Local states"], parts),
            el("h3", {}, "History"),
            el("ol", { class: "history" }, history.map(([i, label]) => el("li", {},
                el("button", { type: "button", class: "link", title: "Back to after this step",
                    onclick: () => this.backTo(i + 1) }, label)))),
            history.length ? null : el("p", { class: "quiet" }, "No step has been taken."));
    }
}

const walks = new WeakMap();

function walkOf(view) {
    if (!walks.has(view)) walks.set(view, new Walk(view));
    return walks.get(view);
}

export const walkView = {
    id: "walk", title: "Walk", action: "Show",
    about: "Choose steps one by one, or go at random until a predicate is true.",
    fields: [
        { name: "until", label: "Go at random until", hint: "a predicate, such as Job >= 3; empty: show the state" }
    ],
    request(v, view) {
        const walk = walkOf(view);
        if (v.until) {
            view.inputs.until.value = "";
            walk.before = [walk.lines, walk.labels];
            walk.lines = [...walk.lines, `r ${v.until}`];
            walk.labels = [...walk.labels, `until ${v.until}`];
        }
        return { command: "walk", options: [["json"]], lines: walk.lines };
    },
    show(result, view) {
        const states = result.output.trim().split("\n");
        walkOf(view).show(JSON.parse(states[states.length - 1]));
        view.offer("walk.jsonl", () => view.saveText("walk.jsonl", result.output));
    },
    failed: (view) => walkOf(view).undo(),
    changed: (view) => walks.delete(view), // another model: another walk
    shown: (view) => view.empty && view.run()
};
