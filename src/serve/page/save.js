// Downloads: text as files; pictures with the colours that they have on the page.

export function saveText(name, text, type = "text/plain") {
    const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const PAINTED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "font-size",
    "font-family", "font-weight", "text-anchor", "opacity"];

// The text of a picture, complete without the style sheet of the page.
export function svgText(picture) {
    const copy = picture.cloneNode(true);
    const from = [picture, ...picture.querySelectorAll("*")];
    const to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((node, i) => {
        const style = getComputedStyle(node);
        for (const name of PAINTED) to[i].setAttribute(name, style.getPropertyValue(name));
    });
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(name, picture) {
    saveText(name, svgText(picture), "image/svg+xml");
}

// Rows as comma-separated values.
export function csvText(columns, rows) {
    const cell = (value) => {
        const text = value === null || value === undefined ? "" : String(value);
        return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
}
