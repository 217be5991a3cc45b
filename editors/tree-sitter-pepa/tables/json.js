// The grammar as tree-sitter's generator reads it:  json.js GRAMMAR
"use strict";

const rule = (of) => of instanceof RegExp ? { type: "PATTERN", value: of.source }
    : typeof of === "string" ? { type: "STRING", value: of } : of;
Object.assign(global, {
    seq: (...of) => ({ type: "SEQ", members: of.map(rule) }),
    choice: (...of) => ({ type: "CHOICE", members: of.map(rule) }),
    optional: (of) => choice(of, { type: "BLANK" }),
    repeat: (of) => ({ type: "REPEAT", content: rule(of) }),
    field: (name, of) => rule(of), // names of fields came later than this generator
    token: (of) => ({ type: "TOKEN", content: rule(of) }),
    grammar: (of) => of,
});
const $ = new Proxy({}, { get: (_, name) => ({ type: "SYMBOL", name }) });
const { name, rules, extras, conflicts, word } = require(require("path").resolve(process.argv[2]));
console.log(JSON.stringify({
    name, word: word($).name, extras: extras($).map(rule), externals: [], inline: [],
    conflicts: conflicts($).map((each) => each.map((symbol) => symbol.name)),
    rules: Object.fromEntries(Object.entries(rules).map(([left, right]) => [left, rule(right($))])),
}));
