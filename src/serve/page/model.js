// The model that is worked on: its text, its name, and the names in it that fields suggest.

import { el } from "./dom.js";
import { saveText } from "./save.js";

export const FIRST = `// The queue M/M/1/K.
room = 10;  lambda = 0.9;  mu = 1.2;
Arrivals = (arrive, lambda).Arrivals;
Server   = (serve, mu).Server;
Place    = (arrive, T).Job;
Job      = (serve, T).Place;

Arrivals <arrive> Place[room] <serve> Server
`;

export class Model {
    constructor(editor) {
        this.editor = editor;
        this.name = "model.pepa";
        this.lists = Object.fromEntries(["actions", "locals", "rates", "measures"].map((what) =>
            [what, document.body.appendChild(el("datalist", { id: `known-${what}` }))]));
        editor.onChange(() => this.learnRates());
    }

    get text() {
        return this.editor.text;
    }

    open(name, text) {
        this.name = name;
        this.saved = text;
        document.getElementById("model-name").textContent = name;
        this.editor.text = text;
    }

    save() {
        this.saved = this.text;
        saveText(this.name.replace(/^.*\//, ""), this.text);
    }

    // There are changes that are nowhere else.
    get unsaved() {
        return this.text !== this.saved;
    }

    suggest(what, values) {
        this.lists[what].replaceChildren(...values.map((value) => el("option", { value })));
    }

    // Names that a solution has.
    learn(data) {
        const actions = Object.keys(data.throughput || {}), locals = Object.keys(data.population || {});
        this.suggest("actions", actions);
        this.suggest("locals", locals);
        this.suggest("measures", [...actions.map((a) => `throughput:${a}`), ...locals.map((l) => `population:${l}`)]);
        this.actions = actions;
        this.locals = locals;
    }

    // Names of rates: suggestions only, so that a rough look at the text will do.
    learnRates() {
        const names = [...this.text.matchAll(/^\s*([a-z_]\w*)\s*=\s*[^(;]*;/gm)].map((m) => m[1]);
        const more = [...this.text.matchAll(/;\s*([a-z_]\w*)\s*=\s*[^(;]*(?=;)/g)].map((m) => m[1]);
        this.suggest("rates", [...new Set([...names, ...more])]);
    }
}
