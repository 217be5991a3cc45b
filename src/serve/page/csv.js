// Reads comma-separated values.

// Lines of text, as lists of fields.
export function parseCsv(text) {
    return text.split("\n").filter(Boolean).map((line) =>
        [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) =>
            m[1] !== undefined ? m[1].replaceAll('""', '"') : m[2]));
}
