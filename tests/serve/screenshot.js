// The page that a browser shows, as an SVG of text: what is painted of every visible element, its words line by
// line, and its pictures.  It runs in the page, as a WebDriver script with the arguments (title, description).
//
// A PNG is a binary, and a page printed to SVG holds the outline of each letter.  Here letters stay letters:
// small, to be searched and compared.  `textLength` keeps lines as wide as they were, whatever font a reader has.
// Not drawn: shadows, wavy underlines, markers of lists, images.

const width = document.documentElement.clientWidth, height = window.innerHeight;
const out = [], clips = [];
const context = document.createElement("canvas").getContext("2d");

const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" })[c]);
const short = (number) => String(Math.round(number * 100) / 100);
const colour = (css) => css.replace(/^rgb\((\d+), (\d+), (\d+)\)$/,
    (_, ...rgb) => "#" + rgb.slice(0, 3).map((c) => Number(c).toString(16).padStart(2, "0")).join(""));
const clear = (css) => css === "transparent" || /^rgba\(.*, 0\)$/.test(css);
const family = (css) => /mono/.test(css) ? "ui-monospace, 'DejaVu Sans Mono', monospace" : "system-ui, sans-serif";

function put(name, attributes, text) {
    const words = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== "")
        .map(([key, value]) => ` ${key}="${typeof value === "number" ? short(value) : escaped(value)}"`).join("");
    out.push(`<${name}${words}${text === undefined ? "/>" : `>${escaped(text)}</${name}>`}`);
}

function within(box, inside) {
    out.push(`<g clip-path="url(#c${clips.length})">`);
    clips.push(`<clipPath id="c${clips.length}"><rect x="${short(box.x)}" y="${short(box.y)}" ` +
        `width="${short(box.width)}" height="${short(box.height)}"/></clipPath>`);
    inside();
    out.push("</g>");
}

// Background and border of an element.
function paint(box, style) {
    const sides = ["Top", "Right", "Bottom", "Left"].map((side) => ({
        wide: parseFloat(style[`border${side}Width`]), of: style[`border${side}Color`] }));
    const fill = clear(style.backgroundColor) ? "none" : colour(style.backgroundColor);
    const drawn = (side) => side.wide > 0 && !clear(side.of);
    const even = sides.every((side) => side.wide === sides[0].wide && side.of === sides[0].of) && drawn(sides[0]);
    const inset = even ? sides[0].wide / 2 : 0, radius = parseFloat(style.borderTopLeftRadius);
    if (even || fill !== "none")
        put("rect", { x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height - 2 * inset,
            rx: radius ? radius - inset : undefined, fill, stroke: even ? colour(sides[0].of) : undefined,
            "stroke-width": even && sides[0].wide !== 1 ? sides[0].wide : undefined });
    if (even) return;
    sides.forEach((side, i) => {
        if (!drawn(side)) return;
        const flat = i % 2 === 0;
        put("rect", { x: i === 1 ? box.right - side.wide : box.x, y: i === 2 ? box.bottom - side.wide : box.y,
            width: flat ? box.width : side.wide, height: flat ? side.wide : box.height, fill: colour(side.of) });
    });
}

// The words of a text node, a <text> for each of its lines.
function write(node, style) {
    if (clear(style.color) || !node.data.trim()) return;
    const lines = [], range = document.createRange();
    for (let i = 0; i < node.length; i++) {
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        const box = range.getClientRects()[0];
        if (!box || !box.width) continue;
        let line = lines[lines.length - 1];
        if (!line || Math.abs(line.top - box.top) > 2) lines.push(line = { text: "", top: box.top, ends: [] });
        line.x ??= box.x;
        line.text += /\s/.test(node.data[i]) ? " " : node.data[i];
        line.ends.push(box.right);
    }
    context.font = style.font;
    const ascent = context.measureText("x").fontBoundingBoxAscent;
    for (const line of lines) {
        const text = line.text.trimEnd();
        const lead = text.length - text.trimStart().length;
        if (!text || line.top > height || line.x > width) continue;
        const x = lead ? line.ends[lead - 1] : line.x, words = text.slice(lead);
        put("text", { x, y: line.top + ascent, textLength: line.ends[text.length - 1] - x,
            "font-size": style.fontSize, "font-weight": style.fontWeight === "400" ? undefined : style.fontWeight,
            fill: colour(style.color), "font-family": /mono/.test(style.fontFamily) ? family(style.fontFamily) : undefined,
            "text-decoration": style.textDecorationLine === "none" ? undefined : style.textDecorationLine,
            "xml:space": / {2}/.test(words) ? "preserve" : undefined }, words);
    }
}

// What a field says, which no text node holds: a copy of it says the same at the same place, for a moment.
function say(field, box, style) {
    const copy = document.createElement("div"), placed = field.tagName === "SELECT" ? 4 : 0;
    const text = field.tagName === "SELECT" ? field.selectedOptions[0]?.text ?? "" : field.value || field.placeholder;
    for (const name of ["font", "tabSize", "paddingTop", "paddingRight", "paddingBottom", "borderStyle", "borderWidth"])
        copy.style[name] = style[name];
    Object.assign(copy.style, { position: "fixed", boxSizing: "border-box", left: `${box.x}px`, top: `${box.y}px`,
        width: `${box.width}px`, height: `${box.height}px`, overflow: "hidden",
        paddingLeft: `${parseFloat(style.paddingLeft) + placed}px`, color:
        field.value || !field.placeholder ? style.color : getComputedStyle(field, "::placeholder").color,
        whiteSpace: field.tagName === "TEXTAREA" ? style.whiteSpace : "pre" });
    if (field.tagName !== "TEXTAREA") Object.assign(copy.style, { display: "flex", alignItems: "center" });
    const words = document.createElement("span");
    words.append(text);
    words.style.marginTop = field.tagName === "TEXTAREA" ? `${-field.scrollTop}px` : "";
    copy.append(words);
    document.body.append(copy);
    const inside = () => write(words.firstChild ?? words.appendChild(document.createTextNode("")), getComputedStyle(words));
    if (words.offsetWidth > field.clientWidth || words.offsetHeight > field.clientHeight) within(box, inside);
    else inside();
    copy.remove();
}

function checkbox(field, box) {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    put("rect", { x: box.x + 0.5, y: box.y + 0.5, width: box.width - 1, height: box.height - 1, rx: 2,
        fill: field.checked ? (dark ? "#99c8ff" : "#0075ff") : dark ? "#3b3b3b" : "#ffffff",
        stroke: field.checked ? (dark ? "#99c8ff" : "#0075ff") : dark ? "#858585" : "#767676" });
    if (field.checked)
        put("path", { d: `M${short(box.x + 2.8)} ${short(box.y + 6.8)}l2.6 2.6 5-6`, fill: "none", "stroke-width": 2,
            stroke: dark ? "#3b3b3b" : "#ffffff" });
}

function field(element, box, style) {
    if (element.type === "checkbox") return checkbox(element, box);
    say(element, box, style);
    const line = { fill: "none", stroke: colour(style.color) };
    if (element.tagName === "SELECT")
        put("path", { d: `M${short(box.right - 16)} ${short(box.y + box.height / 2 - 2)}l4 4 4-4`, "stroke-width": 1.6, ...line });
    if (element.tagName === "TEXTAREA" && style.resize !== "none")
        put("path", { d: `M${short(box.right - 12)} ${short(box.bottom - 3)}l8-8m-4 8l4-4`, ...line, "stroke-opacity": 0.5 });
}

// Of a drawn picture: where things are, from attributes; how they look, from the style sheet.
const PLACES = ["d", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2", "dx", "dy",
    "points", "transform", "viewBox", "preserveAspectRatio", "id", "clip-path"];
const INHERITED = { fill: "rgb(0, 0, 0)", stroke: "none", "stroke-width": "1px", "stroke-dasharray": "none",
    "fill-opacity": "1", "stroke-linejoin": "miter", "text-anchor": "start", "paint-order": "normal",
    "shape-rendering": "auto", "font-size": "", "font-weight": "400", "font-family": "" };
const OWN = { opacity: "1", "dominant-baseline": "auto" };

function draw(element, above, places) {
    const style = getComputedStyle(element), attributes = [];
    if (["title", "desc"].includes(element.tagName) || style.display === "none") return "";
    for (const name of PLACES)
        if (element.hasAttribute(name) || places[name]) attributes.push([name, places[name] ?? element.getAttribute(name)]);
    for (const [name, usual] of Object.entries(INHERITED)) {
        const value = style.getPropertyValue(name);
        if (value !== (above ? above.getPropertyValue(name) : usual))
            attributes.push([name, name === "font-family" ? family(value) : colour(value)]);
    }
    for (const [name, usual] of Object.entries(OWN))
        if (style.getPropertyValue(name) !== usual) attributes.push([name, style.getPropertyValue(name)]);
    const inside = [...element.childNodes].map((child) => child.nodeType === Node.TEXT_NODE
        ? escaped(child.data) : child.nodeType === Node.ELEMENT_NODE ? draw(child, style, {}) : "").join("");
    const words = attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
    return `<${element.tagName}${words}${inside ? `>${inside}</${element.tagName}>` : "/>"}`;
}

function walk(element) {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (!element.checkVisibility() || style.visibility === "hidden" || style.opacity === "0") return;
    if (box.top > height || box.right < 0) return;
    if (style.opacity !== "1") out.push(`<g opacity="${style.opacity}">`);
    const places = { x: short(box.x), y: short(box.y), width: short(box.width), height: short(box.height) };
    if (element.tagName === "svg") out.push(draw(element, null, places));
    else {
        if (element.type !== "checkbox") paint(box, style);
        if (["INPUT", "SELECT", "TEXTAREA"].includes(element.tagName)) field(element, box, style);
        else {
            if (element.tagName === "SUMMARY")
                put("path", { fill: colour(style.color), d: `M${short(box.x + 1)} ${short(box.y + box.height / 2)}` +
                    (element.parentElement.open ? "m0-3h9l-4.5 7z" : "m0-5l7 4.5-7 4.5z") });
            const inside = () => {
                for (const child of element.childNodes)
                    if (child.nodeType === Node.TEXT_NODE) write(child, style);
                    else if (child.nodeType === Node.ELEMENT_NODE) walk(child);
            };
            const over = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
            if (style.overflow !== "visible" && over && element !== document.body) within(box, inside);
            else inside();
        }
    }
    if (style.opacity !== "1") out.push("</g>");
}

walk(document.body);
const [title, description] = arguments;
return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `role="img" font-family="system-ui, sans-serif">\n<title>${escaped(title)}</title>\n<desc>${escaped(description)}</desc>\n` +
    (clips.length ? `<defs>${clips.join("\n")}</defs>\n` : "") +
    `<rect width="${width}" height="${height}" fill="${colour(getComputedStyle(document.body).backgroundColor)}"/>\n` +
    out.join("\n") + "\n</svg>\n";
