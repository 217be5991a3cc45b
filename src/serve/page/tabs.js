// Tabs, by the pattern of the ARIA authoring practices: arrows move between them.

import { el } from "./dom.js";

export class Tabs {
    // views: [{ id, title, node, shown() }].
    constructor(list, panels, views) {
        this.tabs = views.map((view, i) => el("button", {
            type: "button", role: "tab", id: `tab-${view.id}`, "aria-controls": `panel-${view.id}`,
            onclick: () => this.choose(i)
        }, view.title));
        this.panels = views.map((view) => el("div", {
            role: "tabpanel", id: `panel-${view.id}`, "aria-labelledby": `tab-${view.id}`, hidden: true
        }, view.node));
        this.views = views;
        list.append(...this.tabs);
        panels.append(...this.panels);
        list.addEventListener("keydown", (event) => this.key(event));
        this.choose(Math.max(0, views.findIndex((v) => `#${v.id}` === location.hash)));
    }

    choose(chosen) {
        this.chosen = chosen;
        this.tabs.forEach((tab, i) => {
            tab.setAttribute("aria-selected", i === chosen);
            tab.tabIndex = i === chosen ? 0 : -1;
            this.panels[i].hidden = i !== chosen;
        });
        history.replaceState(null, "", `#${this.views[chosen].id}`);
        if (this.views[chosen].shown) this.views[chosen].shown();
    }

    key(event) {
        const last = this.tabs.length - 1;
        const to = { ArrowRight: this.chosen === last ? 0 : this.chosen + 1,
            ArrowLeft: this.chosen === 0 ? last : this.chosen - 1, Home: 0, End: last }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        this.choose(to);
        this.tabs[to].focus();
    }
}
