// PEPA for tree-sitter, as parser/pepa.y and parser/pepa.l have it: models without errors.
//
// What is left out: definitions of the PEPA Workbench behind `%` count as comments, as do all lines that
// begin with it.

/// <reference types="tree-sitter-cli/dsl" />

const list = (item) => optional(seq(item, repeat(seq(",", item))));

module.exports = grammar({
    name: "pepa",

    extras: ($) => [/[ \t\r\f\v\n]/, $.comment],
    word: ($) => $.lower_name,

    conflicts: ($) => [
        [$.process_name, $.action_name], // `(P[2` goes on as an activity or as a component
        [$._process, $._action],         // the same with a quoted name
    ],

    rules: {
        model: ($) => seq(optional("\ufeff"), repeat(seq(optional($._statement), ";")),
            optional($._statement)),

        _statement: ($) => choice($.rate_definition, $.process_definition, $.system),

        rate_definition: ($) => seq(
            field("name", $.lower_name), choice("=", ":="), field("value", $._rate)),
        process_definition: ($) => seq(
            optional("#"), field("name", $._process), choice("=", ":="),
            field("body", $._component)),
        system: ($) => $._component,

        // ---- components, loosest first ----

        _component: ($) => choice($.cooperation, $._choice),
        cooperation: ($) => seq(field("left", $._component), field("on", $.cooperator),
            field("right", $._choice)),
        cooperator: ($) => choice("||", seq("<", list($._action), ">"), seq("<", "*", ">")),

        _choice: ($) => choice($.choice, $._sequence),
        choice: ($) => seq($._choice, "+", $._sequence),

        _sequence: ($) => choice($.prefix, $._postfix),
        prefix: ($) => seq(field("activity", choice($.activity, $.immediate_action)), ".",
            field("next", $._sequence)),
        activity: ($) => seq("(", field("action", $._action), optional($.priority), ",",
            field("rate", $._weighted), ")"),
        immediate_action: ($) => seq(field("action", $._action), optional($.priority)),
        priority: ($) => seq("[", $.number, "]"),

        _postfix: ($) => choice($._plain, $.copies),
        _plain: ($) => choice($._atom, $.hiding, $.copies_together),
        _atom: ($) => choice($._process, seq("(", $._component, ")")),
        hiding: ($) => seq($._postfix, "/", choice($.set, seq("<", list($._action), ">"))),
        copies: ($) => seq($._plain, "[", field("count", $._expression), "]"),
        copies_together: ($) => choice(
            seq($._plain, "[", field("count", $._expression), ",", $.set, "]"),
            seq($.copies, choice($.set, seq("[", list($._action), "]")))),
        set: ($) => seq("{", list($._action), "}"),

        // ---- rates, loosest first ----

        _weighted: ($) => choice($._rate, $.weight),
        weight: ($) => seq($._expression, ":", choice("infty", "immediate")),

        _rate: ($) => choice($._expression, $.conditional),
        conditional: ($) => seq("if", field("condition", $._condition), "then", $._rate, "else",
            $._rate),

        _condition: ($) => choice($.or, $._conjunction),
        or: ($) => seq($._condition, "||", $._conjunction),
        _conjunction: ($) => choice($.and, $._negation),
        and: ($) => seq($._conjunction, "&&", $._negation),
        _negation: ($) => choice($.comparison, $.not, seq("(", $._condition, ")")),
        not: ($) => seq("!", $._negation),
        comparison: ($) => seq($._expression, choice("<", "<=", ">", ">=", "==", "!="),
            $._expression),

        _expression: ($) => choice($.sum, $._term),
        sum: ($) => seq($._expression, choice("+", "-"), $._term),
        _term: ($) => choice($.product, $._factor),
        product: ($) => seq($._term, choice("*", "/"), $._factor),
        _factor: ($) => choice($.minus, $._primary),
        minus: ($) => seq("-", $._factor),
        _primary: ($) => choice($.number, $.passive, $.rate_name, $.count, $.call,
            seq("(", $._rate, ")")),
        passive: ($) => choice("_", "infty", "T"),
        rate_name: ($) => choice($.lower_name, "immediate"),
        count: ($) => choice($.upper_name, $.quoted_name),
        call: ($) => seq(field("function", $.lower_name), "(", $._argument,
            repeat(seq(",", $._argument)), ")"),
        _argument: ($) => choice($._rate, seq($._expression, ":", $._expression)),

        // ---- names ----

        _process: ($) => choice($.process_name, $.quoted_name),
        process_name: ($) => choice($.upper_name, "T"),
        _action: ($) => choice($.action_name, $.quoted_name),
        action_name: ($) => choice($.lower_name, $.upper_name, "if", "then", "else", "immediate",
            "T"),

        lower_name: ($) => /[a-z][A-Za-z0-9_']*/,
        upper_name: ($) => /[A-Z][A-Za-z0-9_']*/,
        quoted_name: ($) => /"[^"\n]+"/,
        number: ($) => /([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?/,
        comment: ($) => token(choice(
            /\/\/[^\n]*/,
            /\/\*([^*]|\*+[^*\/])*\*+\//,
            /%[^\n]*/)),
    },
});
