// The state space: the server keeps the list, the page reads the part that is shown.

import { parseCsv } from "./csv.js";
import { el, newId, shortNumber } from "./dom.js";
import { eachLine, given } from "./form.js";

const PAGE = 100;

async function rows(id, from, count) {
    const answer = await fetch(`table?id=${id}&from=${from}&count=${count}`);
    if (!answer.ok) throw new Error("The server has forgotten this list: run it again.");
    return parseCsv(await answer.text());
}

// With places where a long state may be broken.
function breakable(state) {
    return state.split("|").flatMap((part, i) => i ? ["|", el("wbr"), part] : [part]);
}

// A table of which one page is there at a time.
class Paged {
    constructor(view, id, count) {
        this.view = view;
        this.id = id;
        this.count = count; // without the header
        this.body = el("tbody");
        this.where = el("span", { role: "status" });
        const goId = newId("row");
        this.go = el("input", { id: goId, type: "text", inputmode: "numeric", class: "short",
            onchange: () => this.show(Number(this.go.value) - 1) });
        const step = (label, by, name) => el("button", { type: "button", "aria-label": name,
            onclick: () => this.show(by()) }, label);
        this.head = el("tr");
        this.node = el("div", {},
            el("div", { class: "pager" },
                step("First", () => 0, "First page"), step("Before", () => this.from - PAGE, "Page before"),
                step("Next", () => this.from + PAGE, "Next page"), step("Last", () => this.count - PAGE, "Last page"),
                el("label", { for: goId }, "Go to row"), this.go, this.where),
            el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "States" },
                el("table", {}, el("caption", {}, "States"), el("thead", {}, this.head), this.body)));
    }

    async start() {
        const [names] = await rows(this.id, 0, 1);
        this.head.replaceChildren(...names.map((name) => el("th", { scope: "col" }, name)));
        await this.show(0);
    }

    async show(from) {
        this.from = Math.max(0, Math.min(Number.isFinite(from) ? Math.floor(from) : 0, Math.max(0, this.count - 1)));
        try {
            const list = await rows(this.id, this.from + 1, PAGE);
            this.body.replaceChildren(...list.map(([number, state, share]) => el("tr", {},
                el("td", { class: "number" }, Number(number).toLocaleString("en")), el("td", { class: "state" }, breakable(state)),
                share === undefined ? null : el("td", { class: "number", title: share }, shortNumber(Number(share))))));
            this.where.textContent = this.count
                ? `${(this.from + 1).toLocaleString("en")} to ${Math.min(this.from + PAGE, this.count).toLocaleString("en")} of ${this.count.toLocaleString("en")}`
                : "no state passes the filters";
        } catch (error) {
            this.view.say(error.message, "error");
        }
    }
}

function show(result, view) {
    const paged = new Paged(view, result.table, result.rows - 1);
    view.add(paged.node);
    view.offer("states.csv", () => {
        const link = el("a", { href: `table.csv?id=${result.table}`, download: "states.csv" });
        link.click();
    });
    return paged.start();
}

export const statesView = {
    id: "states", title: "States", action: "List",
    about: "The state space, all or filtered; lists of millions of states stay on the server and are read page by page.",
    fields: [
        { name: "where", label: "Only where", hint: "such as Job >= 2 && !enabled(serve)" },
        { name: "enables", label: "That can do", list: "known-actions" },
        { name: "with", label: "With a component in", list: "known-locals" },
        { name: "top", label: "The most probable", hint: "a number of states; solves" },
        { name: "probability", label: "Probability", hint: "such as 0.1..0.5; solves" },
        { name: "solve", label: "With probabilities", kind: "check" }
    ],
    request: (v) => ({ command: "states", keep: true, options: [["csv"], ...given("where", v.where),
        ...given("enables", v.enables), ...eachLine(v.with, "with"), ...given("top", v.top),
        ...given("probability", v.probability), ...(v.solve ? [["solve"]] : [])] }),
    show
};
