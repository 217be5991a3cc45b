// Sections that have all the words, those with them in their headings first.
"use strict";
const field = document.getElementById("search");
const found = document.getElementById("found");
const sections = INDEX.map(([link, page, heading, text]) => ({
    link, page, heading, text, head: (page + " " + heading).toLowerCase(), low: text.toLowerCase(),
}));

function weight(section, words) {
    let sum = 0;
    for (const word of words) {
        const times = section.low.split(word).length - 1;
        const heads = section.head.split(word).length - 1;
        if (times + heads === 0) return 0;
        sum += 10 * heads + Math.min(times, 5) / (1 + section.low.length / 2000);
    }
    return sum;
}

function around(section, word) {
    const at = Math.max(section.low.indexOf(word), 0);
    return (at > 40 ? "… " : "") + section.text.slice(Math.max(at - 40, 0), at + 80) + " …";
}

field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
    const best = words.length === 0 ? [] : sections
        .map((section) => [weight(section, words), section])
        .filter(([sum]) => sum > 0)
        .sort((a, b) => b[0] - a[0])
        .slice(0, 12);
    found.replaceChildren(...best.map(([, section]) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        const text = document.createElement("small");
        link.href = section.link;
        link.textContent = section.heading && section.heading !== section.page
            ? `${section.page}: ${section.heading}` : section.page;
        text.textContent = around(section, words[0]);
        item.append(link, text);
        return item;
    }));
    if (words.length > 0 && best.length === 0) {
        const none = document.createElement("li");
        none.textContent = "Nothing has all these words.";
        found.append(none);
    }
});
const asked = new URLSearchParams(location.search).get("q");
if (asked) {
    field.value = asked;
    field.dispatchEvent(new Event("input"));
}
document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) {
        event.preventDefault();
        field.focus();
    }
});
