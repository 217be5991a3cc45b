// Elements of the page, made in one call each.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
    for (const [name, value] of Object.entries(properties || {})) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else if (name === "value" || name === "checked") node[name] = value;
        else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return node;
}

// el("button", { type: "button", onclick: f }, "Run"): an element of HTML.
export function el(tag, properties, ...children) {
    return fill(document.createElement(tag), properties, children);
}

// The same of SVG.
export function svg(tag, properties, ...children) {
    return fill(document.createElementNS(SVG, tag), properties, children);
}

// A table: the names of its columns, and rows of cells; numbers are aligned to the right.
export function table(caption, columns, rows) {
    const cell = (value) => typeof value === "number"
        ? el("td", { class: "number", title: String(value) }, shortNumber(value))
        : el("td", {}, value === null || value === undefined ? "–" : value);
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
        el("table", {},
            el("caption", {}, caption),
            el("thead", {}, el("tr", {}, columns.map((c) => el("th", { scope: "col" }, c)))),
            el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell))))));
}

// Six significant digits, as short as they can be.
export function shortNumber(value) {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString("en");
    const rounded = Number(value.toPrecision(6));
    return Math.abs(rounded) < 1e-3 && rounded !== 0 ? rounded.toExponential() : String(rounded);
}

let lastId = 0;
export function newId(what) {
    return `${what}-${++lastId}`;
}
