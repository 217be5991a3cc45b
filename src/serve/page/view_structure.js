// The model as pictures: its cooperation tree, its components, a small state space.

import { el } from "./dom.js";
import { given } from "./form.js";
import { saveText } from "./save.js";

const NAMES = { cooperation: "Cooperation: the tree of the system equation",
    components: "Components: local states and activities", states: "States and transitions" };

// A picture by Graphviz, in the colours of the page.  Only its shapes and texts are taken.
export function drawn(text, title) {
    const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    for (const node of [...picture.querySelectorAll("script, foreignObject, style, a")]) node.remove();
    for (const node of [picture, ...picture.querySelectorAll("*")])
        for (const { name } of [...node.attributes])
            if (name.startsWith("on") || name === "style") node.removeAttribute(name);
    picture.querySelector("polygon").remove(); // the paper
    for (const node of picture.querySelectorAll("title")) node.remove();
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", title);
    picture.setAttribute("class", "drawn");
    return document.importNode(picture, true);
}

function show(result, view, values) {
    const title = NAMES[values.of];
    const picture = drawn(result.output, title);
    const said = [...picture.querySelectorAll("text")].map((t) => t.textContent.trim()).filter(Boolean);
    const place = el("div", { class: "scroll picture", tabindex: "0", role: "region", "aria-label": title }, picture);
    view.add(el("h3", {}, title), place, el("details", {}, el("summary", {}, "In words"), el("p", {}, said.join("; "))));
    const first = picture.querySelector(".node");
    if (first) { // what it begins with is in sight
        const [node, paper] = [first.getBoundingClientRect(), place.getBoundingClientRect()];
        place.scrollLeft = (node.left + node.right) / 2 - (paper.left + paper.right) / 2;
    }
    view.offer(`${values.of}.svg`, () => saveText(`${values.of}.svg`, result.output, "image/svg+xml"));
}

export const structureView = {
    id: "structure", title: "Structure", action: "Draw",
    about: "Components as diagrams of local states, how they cooperate, and state spaces of up to some hundred states.",
    fields: [
        { name: "of", label: "Picture of", kind: "select", choices: [["cooperation"], ["components"], ["states"]] },
        { name: "most", label: "At most so many states", value: "100" }
    ],
    request: (v) => ({ command: "graph", options: [["of", v.of], ["format", "svg"],
        ...(v.of === "states" ? given("max-states", v.most) : [])] }),
    show,
    shown: (view) => view.empty && view.run()
};
