// Checks grammar.js without tree-sitter: node check.js PEPA FILE...
//
// A file that PEPA accepts must be a sentence of the grammar, and some texts that it refuses must not be.
// Tokens are found as tree-sitter finds them: of those that can come next the longest, a literal before a
// pattern.  Sentences are recognised by Earley's algorithm, which takes any grammar.  Source: Earley, "An
// efficient context-free parsing algorithm", CACM 1970; nullable symbols: Aycock, Horspool 2002.
// There is no generated parser here: tables.sh has tree-sitter's own.
//
// With bison, the grammar is also looked at for conflicts: those that it declares are the only ones that
// tree-sitter's LR(1) tables have.
"use strict";
const { spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

// ---- tree-sitter's functions for grammars -----------------------------------------------------

const rule = (of) => of instanceof RegExp ? { type: "PATTERN", value: of.source }
    : typeof of === "string" ? { type: "STRING", value: of } : of;
Object.assign(global, {
    seq: (...of) => ({ type: "SEQ", of: of.map(rule) }),
    choice: (...of) => ({ type: "CHOICE", of: of.map(rule) }),
    optional: (of) => choice(of, seq()),
    repeat: (of) => ({ type: "REPEAT", of: [rule(of)] }),
    field: (name, of) => rule(of),
    alias: (of) => rule(of),
    prec: (level, of) => rule(of),
    token: (of) => ({ type: "TOKEN", of: [rule(of)] }),
    grammar: (of) => of,
});

function source(of) {
    return of.type === "PATTERN" ? of.value
        : of.type === "STRING" ? of.value.replace(/[^A-Za-z0-9]/g, "\\$&")
        : "(?:" + of.of.map(source).join(of.type === "CHOICE" ? "|" : "") + ")";
}

const described = require("./grammar.js");
const $ = new Proxy({}, { get: (_, name) => ({ type: "SYMBOL", name }) });

// Productions, by symbol: [["left", ["right", ...]], ...], with terminals as {literal, pattern}.
const terminals = new Map(), productions = new Map(), extras = [];
let made = 0;

function terminal(of) {
    const key = of.type + " " + source(of);
    if (!terminals.has(key))
        terminals.set(key, { key, literal: of.type === "STRING", text: of.value,
            pattern: new RegExp(source(of), "y"), number: terminals.size });
    return key;
}

function symbol(of) {
    if (of.type === "SYMBOL") {
        const body = rule(described.rules[of.name]($));
        return body.type === "PATTERN" || body.type === "TOKEN" ? terminal(body) : of.name;
    }
    return terminal(of);
}

// The alternatives of a rule.  As in tree-sitter, choices are multiplied out; a repetition is a symbol
// for once or more, or nothing.
function bodies(of) {
    if (of.type === "CHOICE")
        return of.of.flatMap(bodies);
    if (of.type === "SEQ")
        return of.of.reduce((all, each) =>
            all.flatMap((before) => bodies(each).map((after) => [...before, ...after])), [[]]);
    if (of.type === "REPEAT") {
        const name = "made_" + made++, once = bodies(of.of[0]);
        productions.set(name, once.flatMap((each) => [each, [name, ...each]]));
        return [[], [name]];
    }
    return [[symbol(of)]];
}

for (const name of Object.keys(described.rules)) {
    const body = rule(described.rules[name]($));
    if (body.type !== "PATTERN" && body.type !== "TOKEN")
        productions.set(name, bodies(body));
}
for (const each of described.extras($)) {
    const body = each.type === "SYMBOL" ? rule(described.rules[each.name]($)) : rule(each);
    extras.push(new RegExp(source(body), "y"));
}

const nullable = new Set();
for (let before = -1; before < nullable.size;) {
    before = nullable.size;
    for (const [name, all] of productions)
        if (all.some((right) => right.every((each) => nullable.has(each))))
            nullable.add(name);
}

// ---- recognition ------------------------------------------------------------------------------

function length(pattern, text, at) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    return found ? found[0].length : 0;
}

function skip(text, at) {
    for (let more = 1; more > 0; at += more)
        more = Math.max(...extras.map((each) => length(each, text, at)));
    return at;
}

// The items of a place: each production with how much of it is behind, and where it began.
function complete(chart, place) {
    const { items, waiting } = chart[place];
    for (let i = 0; i < items.length; i++) {
        const { left, right, dot, from } = items[i], next = right[dot];
        if (next === undefined) {
            for (const other of chart[from].waiting.get(left) || [])
                add(chart[place], { ...other, dot: other.dot + 1 });
        } else if (productions.has(next)) {
            for (const body of productions.get(next))
                add(chart[place], { left: next, right: body, dot: 0, from: place });
            if (nullable.has(next))
                add(chart[place], { ...items[i], dot: dot + 1 });
        }
        if (next !== undefined) {
            if (!waiting.has(next))
                waiting.set(next, []);
            waiting.get(next).push(items[i]);
        }
    }
}

const identity = new Map();
function number(of) {
    if (!identity.has(of))
        identity.set(of, identity.size);
    return identity.get(of);
}

function add(set, item) {
    const key = number(item.right) + " " + number(item.left) + " " + item.dot + " " + item.from;
    if (!set.seen.has(key)) {
        set.seen.add(key);
        set.items.push(item);
    }
}

const empty = () => ({ items: [], seen: new Set(), waiting: new Map() });

// Where the text ceases to be the beginning of a sentence; -1: it is one.
function stops(text) {
    const chart = [empty()];
    for (const body of productions.get("model"))
        add(chart[0], { left: "model", right: body, dot: 0, from: 0 });
    let at = skip(text, 0);
    for (let place = 0; ; place++) {
        complete(chart, place);
        if (at === text.length)
            return chart[place].items.some((item) => item.left === "model" && item.from === 0 &&
                item.dot === item.right.length) ? -1 : at;
        let best = null, longest = 0;
        for (const key of chart[place].waiting.keys()) {
            const each = terminals.get(key), size = each ? length(each.pattern, text, at) : 0;
            const whole = !each || !each.literal || !/^[a-zA-Z]/.test(each.text) ||
                !/[A-Za-z0-9_']/.test(text[at + size] || " "); // keywords are whole words
            if (size > 0 && whole && (size > longest || (size === longest && each.literal))) {
                best = key;
                longest = size;
            }
        }
        if (!best)
            return at;
        chart.push(empty());
        for (const item of chart[place].waiting.get(best))
            add(chart[place + 1], { ...item, dot: item.dot + 1 });
        at = skip(text, at + longest);
    }
}

// ---- conflicts --------------------------------------------------------------------------------

function conflicts() {
    const name = (of) => terminals.has(of) ? "TOKEN_" + terminals.get(of).number : "r_" + of;
    const lines = ["%token " + [...terminals.keys()].map(name).join(" "), "%start r_model",
        "%define lr.type ielr", "%glr-parser", "%%"];
    for (const [left, all] of productions)
        lines.push(name(left) + ": " +
            all.map((right) => right.map(name).join(" ") || "%empty").join(" | ") + ";");
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pepa-"));
    fs.writeFileSync(path.join(folder, "g.y"), lines.join("\n") + "\n");
    const run = spawnSync("bison", ["-Wno-other", "--report=states",
        "--report-file=" + path.join(folder, "g.out"), "-o", path.join(folder, "g.c"),
        path.join(folder, "g.y")], { encoding: "utf8" });
    if (run.error)
        return null;
    const report = fs.readFileSync(path.join(folder, "g.out"), "utf8");
    fs.rmSync(folder, { recursive: true });
    // a conflict shows as actions in brackets: which rules are reduced by them?
    const found = new Set();
    for (const state of report.split(/^State \d+$/m).slice(1)) {
        const inBrackets = state.match(/\[reduce using rule \d+ \(r_\w+\)\]/g);
        if (!inBrackets)
            continue;
        const rules = [...state.matchAll(/reduce using rule \d+ \(r_(\w+)\)/g)].map((m) => m[1]);
        found.add([...new Set(rules)].sort().join(" "));
    }
    return [...found].sort();
}

// ---- the check --------------------------------------------------------------------------------

const refused = ["r = ;", "P = (a, r)", "P = (a r).P; P", "P = (a, r).P P", "P <a Q", "P <a b> Q",
    "P[", "P / a", "P = a P;", "r = 1 +;", "r = (1;", "r = min(1;", "P = (a, if x < 1 then 2).P; P",
    "P = (1, a).P; P", "P || ", "= P;", "P = \"\";", "/* P", "P = P + ; P", "r = 1 2;"];
const [pepa, ...files] = process.argv.slice(2);
let accepted = 0, wrong = 0;
for (const file of files) {
    const run = spawnSync(pepa, ["export", "--format", "pepa", file]);
    const text = fs.readFileSync(file, "utf8"), at = stops(text);
    if (run.status === 0 && at >= 0) {
        console.error(`${file}: the parser accepts it, the grammar stops at byte ${at}: ` +
            JSON.stringify(text.slice(at, at + 20)));
        wrong++;
    }
    accepted += run.status === 0 && at < 0;
}
for (const text of refused)
    if (stops(text) < 0) {
        console.error(`the grammar accepts ${JSON.stringify(text)}`);
        wrong++;
    }
const declared = described.conflicts($)
    .map((each) => each.map((of) => of.name).sort().join(" ")).sort();
const found = conflicts();
if (found && JSON.stringify(found) !== JSON.stringify(declared)) {
    console.error("conflicts declared: " + JSON.stringify(declared) + "\nfound: " +
        JSON.stringify(found));
    wrong++;
}
// Nodes, fields and texts that the queries name, as they stand in the grammar.
const queries = fs.readFileSync(path.join(__dirname, "queries/highlights.scm"), "utf8").replace(/^;.*$/gm, "");
const told = fs.readFileSync(path.join(__dirname, "grammar.js"), "utf8");
for (const [, node] of queries.matchAll(/\((\w+)/g))
    if (!(node in described.rules)) {
        console.error(`queries/highlights.scm: there is no ${node}`);
        wrong++;
    }
for (const [, field] of queries.matchAll(/(\w+):/g))
    if (!told.includes(`field("${field}"`)) {
        console.error(`queries/highlights.scm: there is no field ${field}`);
        wrong++;
    }
for (const [, text] of queries.matchAll(/"([^"]+)"/g))
    if (!told.includes(`"${text}"`)) {
        console.error(`queries/highlights.scm: there is no "${text}"`);
        wrong++;
    }
console.log(`tree-sitter-pepa: ${accepted} models are sentences, ${refused.length} other texts are not` +
    (found ? ", conflicts are as declared" : ", no bison to look for conflicts"));
process.exit(wrong ? 1 : 0);
