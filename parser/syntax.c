/* Words syntax errors: what is wrong and, where it can be guessed, what was meant. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/unexpected.h"
#include "parser/parsing.h"
#include "pepa.tab.h"

void syntax_error(Parsing *ctx, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!ctx->build.failed)
        diag_syntax(ctx->diags, span, SYNTAX_MAX_ERRORS, &ctx->stop, format, args);
    va_end(args);
}

void syntax_lost(Parsing *ctx)
{
    ast_drop(&ctx->build);
    ctx->broken = true;
    if (ctx->head_name && ctx->lost_count < SYNTAX_MAX_ERRORS)
        ctx->lost[ctx->lost_count++] = ctx->head_name;
}

bool syntax_skipping(const Parsing *ctx)
{
    return ctx->failed && ctx->previous != TOKEN_SEMICOLON;
}

bool syntax_new_line(const Parsing *ctx, uint32_t begin, uint32_t end)
{
    return begin < end && memchr(ctx->scan.source->text + begin, '\n', end - begin) != NULL;
}

/* The tokens that are legal here, by the grammar's names for them. */
typedef struct {
    const char *const *names;
    int count;
} Expected;

static bool has(Expected expected, const char *name)
{
    return name_among(name, expected.names, expected.count);
}

static bool one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

/* Tokens that the grammar accepts only to give advice, or that need no mention. */
static bool unspoken(Expected expected, const char *name)
{
    static const char *const starts[] = {"a lower-case name",
                                         "an upper-case name",
                                         "a quoted name",
                                         "if",
                                         "then",
                                         "else",
                                         "(",
                                         NULL};
    static const char *const seldom[] = {"an action without a rate", "an action with a priority",
                                         ":", NULL};
    if (one_of(name, seldom))
        return true;
    if ((strcmp(name, "==") == 0 && has(expected, "=")) || strcmp(name, "#") == 0 ||
        strcmp(name, "the end of the text") == 0)
        return true;
    if (strcmp(name, ";") == 0 && has(expected, "#"))
        return true;
    if (strcmp(name, ",") == 0 && has(expected, "]") && has(expected, "+"))
        return true;
    bool in_set = has(expected, ",") && has(expected, "if");
    return (in_set || has(expected, ".")) && one_of(name, starts);
}

typedef struct {
    const char *text; /* what to call the group */
    const char *const *members;
} Group;

/* Does the group (as a whole) belong to what is expected? */
static bool group_fits(Expected expected, const Group *group)
{
    for (const char *const *member = group->members; *member; member++)
        if (!has(expected, *member) || unspoken(expected, *member))
            return false;
    return true;
}

static const Group *group_of(Expected expected, const char *name)
{
    static const char *const rate[] = {"a lower-case name",  "a number",      "(",  "_", "-",
                                       "an upper-case name", "a quoted name", "if", NULL};
    static const char *const condition[] = {"a lower-case name",  "a number",      "(", "_", "-",
                                            "an upper-case name", "a quoted name", "!", NULL};
    static const char *const operand[] = {"a lower-case name",  "a number",      "(", "_", "-",
                                          "an upper-case name", "a quoted name", NULL};
    static const char *const start[] = {"a lower-case name", "(", "an upper-case name",
                                        "a quoted name", NULL};
    static const char *const process[] = {"(", "an upper-case name", "a quoted name", NULL};
    static const char *const action[] =
        {"a lower-case name", "an upper-case name", "a quoted name", "if", "then", "else", NULL};
    static const char *const name_of_process[] = {"an upper-case name", "a quoted name", NULL};
    static const char *const cooperation[] = {"<", "||", NULL};
    static const char *const operators[] = {"+", "-", "*", "/", NULL};
    static const char *const comparisons[] = {"<", "<=", ">", ">=", "==", "!=", NULL};
    static const Group groups[] = {{"a rate", rate},
                                   {"a condition", condition},
                                   {"a rate", operand},
                                   {"a comparison", comparisons},
                                   {"a definition or the system equation", start},
                                   {"a process", process},
                                   {"an action", action},
                                   {"a process name", name_of_process},
                                   {"a cooperation", cooperation},
                                   {"an operator", operators}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (one_of(name, groups[i].members) && group_fits(expected, &groups[i]))
            return &groups[i];
    return NULL;
}

/* Append the words for those expected that are, or are not, single closing tokens. */
static void collect(Expected expected, bool closing, const char **items, int *count)
{
    static const char *const closers[] = {")", "]", "}", ">", ",", ";", ".", NULL};
    for (int i = 0; i < expected.count; i++) {
        const char *name = expected.names[i];
        const Group *group = group_of(expected, name);
        const char *item = group ? group->text : name;
        bool known = unspoken(expected, name) || (!group && one_of(name, closers)) != closing;
        for (int k = 0; k < *count; k++)
            known = known || strcmp(items[k], item) == 0;
        if (!known)
            items[(*count)++] = item;
    }
}

/* "; expected `;` or a process" */
static void list_expected(Expected expected, Text *out)
{
    enum { TOKENS = 64 }; /* more than the grammar has */
    const char *items[TOKENS];
    int count = 0;
    if (expected.count > TOKENS)
        return;
    collect(expected, true, items, &count);
    collect(expected, false, items, &count);
    unexpected_wanted(items, count, out);
}

static void generic(Parsing *ctx, const char *found, Span span, Expected expected)
{
    Text message = {0};
    if (span.begin == span.end && strcmp(found, "the end of the text") != 0) /* an implied `;` */
        text_add(&message, "unexpected end of the definition");
    else
        unexpected_found(ctx->scan.source, found, span, &message);
    list_expected(expected, &message);
    if (message.failed)
        ctx->build.failed = true;
    else
        syntax_error(ctx, span, "%s", message.text);
    text_free(&message);
}

/* A process is required here, not a rate. */
static bool wants_process(Expected expected)
{
    return has(expected, "(") && has(expected, "an upper-case name") &&
           !has(expected, "a number") && !has(expected, "a lower-case name");
}

/* Is this `(rate, name)`, with `rate` at the span? */
static bool swapped(const Parsing *ctx, Span span)
{
    const char *text = ctx->scan.source->text + span.begin,
               *end = ctx->scan.source->text + ctx->scan.source->length;
    const char *comma = NULL;
    for (; text < end && !strchr(");\n", *text); text++)
        if (*text == ',')
            comma = text;
    if (!comma || text == end || *text != ')')
        return false;
    for (comma++; comma < text && *comma == ' '; comma++)
        ;
    return comma < text && !strchr("0123456789.(-", *comma);
}

/* A definition of a process has the name of a rate, or the other way round. */
static bool advise_case(Parsing *ctx, const char *found, Span span, Expected expected)
{
    const char *head, *text;
    int head_length = source_spelling(ctx->scan.source, ctx->head_span, &head),
        length = source_spelling(ctx->scan.source, span, &text);
    bool lower = strcmp(found, "a lower-case name") == 0;
    bool process = wants_process(expected);
    bool begins = ctx->tokens == 3 && ctx->head == TOKEN_UPPER;
    const bool rate = lower || strcmp(found, "a number") == 0 || strcmp(found, "-") == 0;
    if (process && begins && rate && head_length == 1 && *head == 'T') {
        syntax_error(ctx, ctx->head_span, "`T` is the passive rate; it cannot be defined");
        return true;
    }
    if (process && begins && rate) {
        syntax_error(ctx, span,
                     "unexpected `%.*s` in the definition of process `%.*s`; process names start "
                     "with an upper-case letter, rate names with a lower-case one",
                     length, text, head_length, head);
        return true;
    }
    if (process && lower) {
        syntax_error(ctx, span,
                     "`%.*s` cannot be a process: process names start with an upper-case letter",
                     length, text);
        return true;
    }
    if (ctx->head != TOKEN_LOWER)
        return false;
    static const char *const of_processes[] = {",", "<", "||", "[", "{",
                                               ".", "+", "/",  ";", "the end of the text",
                                               NULL};
    if (ctx->tokens <= 2 && one_of(found, of_processes)) {
        syntax_error(ctx, ctx->head_span,
                     "`%.*s` cannot be a process: process names start with an upper-case letter",
                     head_length, head);
        return true;
    }
    if (one_of(found, of_processes) && !has(expected, ";") && strcmp(found, ",") == 0) {
        syntax_error(ctx, span,
                     "unexpected `,` in the definition of rate `%.*s`; if a process is meant, its "
                     "name must start with an upper-case letter",
                     head_length, head);
        return true;
    }
    return false;
}

/* Is it this word? */
static bool spells(const Parsing *ctx, Span span, const char *word)
{
    const char *text;
    const size_t length = (size_t)source_spelling(ctx->scan.source, span, &text);
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* Does the statement begin with `#`? */
static bool hashed(const Parsing *ctx)
{
    const char *text = ctx->scan.source->text;
    uint32_t at = ctx->head_span.begin;
    while (at > 0 && strchr(" \t", text[at - 1]))
        at--;
    return at > 0 && text[at - 1] == '#';
}

/* A name with a capital letter that durations and phase types have without. */
static bool is_capital_duration(const Parsing *ctx)
{
    static const char *const names[] = {"Erlang",  "Hyper",     "Cox",   "Det",
                                        "Uniform", "Lognormal", "Trace", NULL};
    for (const char *const *name = names; *name; name++)
        if (spells(ctx, ctx->before_span, *name))
            return true;
    return false;
}

/* What PEPA writes in another way than other notations do, or does not have. */
static const char *advice(const Parsing *ctx, const char *found, Span span, Expected expected)
{
    const char *text;
    size_t length = (size_t)source_spelling(ctx->scan.source, span, &text);
    bool named =
        ctx->before == TOKEN_LOWER || ctx->before == TOKEN_UPPER || ctx->before == TOKEN_QUOTED;
    bool number = strcmp(found, "a number") == 0, comma = strcmp(found, ",") == 0;
    if (ctx->tokens <= 3 && hashed(ctx))
        return "`#` begins the definition of a process, `#P = ...`; a comment begins with `//`";
    if (strcmp(found, "(") == 0 && ctx->before == TOKEN_UPPER && is_capital_duration(ctx))
        return "functions are written in lower case, such as `erlang(2, r)`";
    if (strcmp(found, "if") == 0 && has(expected, "a number"))
        return "a conditional rate within an expression stands in parentheses: "
               "`(if ... then ... else ...)`";
    if (has(expected, "&&") && spells(ctx, span, "and"))
        return "unexpected `and`; it is written `&&` here";
    if (has(expected, "&&") && spells(ctx, span, "or"))
        return "unexpected `or`; it is written `||` here";
    if (has(expected, "==") && ctx->before == TOKEN_LOWER && spells(ctx, ctx->before_span, "not"))
        return "`not` is written `!` here";
    if (strcmp(found, ":") == 0 && expected.count == 1 && has(expected, ","))
        return "unexpected `:`; an activity is `(action, rate)`, with a comma";
    if (ctx->before == TOKEN_PARALLEL && (strcmp(found, "[") == 0 || strcmp(found, "<") == 0))
        return "cooperation on actions is written `P <a, b> Q`, without `||`";
    if (ctx->before == TOKEN_COLON && expected.count == 1)
        return "`:` stands between a weight and `immediate` or `infty`";
    if ((expected.count == 1 && has(expected, "a number")) ||
        (strcmp(found, "[") == 0 && named && has(expected, ",")) ||
        (comma && ctx->before == TOKEN_RBRACKET && has(expected, ")")))
        return "`a[2]` is an action with a priority: a whole number in "
               "`(a[2], r)`; for several actions, name each one, such as `a_2`";
    if (comma && has(expected, ")") && ctx->head != TOKEN_LOWER)
        return "unexpected `,`; an activity is `(action, rate)`, with a priority `(action[2], "
               "rate)`";
    if (strcmp(found, ")") == 0 && expected.count == 1 && has(expected, ","))
        return "an activity without a rate; expected `(action, rate)`";
    if (number && ctx->before == TOKEN_LPAREN && swapped(ctx, span))
        return "the rate comes before the action; an activity is `(action, rate)`";
    if (number && strspn(text, ".0") >= length && (wants_process(expected) || has(expected, ".")) &&
        (ctx->before == TOKEN_DOT || ctx->before == TOKEN_RPAREN))
        return "`0` is not a process; the process that does nothing is `Stop`";
    return NULL;
}

/* The first word of a statement, where another name follows, is one with which other languages begin theirs: nothing
 * more can be read. */
static bool advise_language(Parsing *ctx)
{
    static const char *const prism[] = {"ctmc", "dtmc", "mdp", "module", "const", "system", NULL};
    const bool rate = spells(ctx, ctx->head_span, "rate");
    const char *const *word = prism;
    while (*word && !spells(ctx, ctx->head_span, *word))
        word++;
    if (rate)
        syntax_error(ctx, ctx->head_span, "a rate is defined without a word before it: `r = 1;`");
    else if (*word)
        syntax_error(ctx, ctx->head_span,
                     "`%s` is a word of PRISM's language, and this is to be PEPA: see `man 5 pepa`",
                     *word);
    ctx->stop = ctx->stop || rate || *word;
    return rate || *word;
}

void syntax_missing(Parsing *ctx, Span gap)
{
    if (ctx->tokens != 1 || !advise_language(ctx))
        syntax_error(ctx, gap, "missing `;`");
}

/* A description for amoget begins: nothing of it can be read here. */
static bool advise_description(Parsing *ctx, const char *found)
{
    static const char *const blocks[] = {"pipeline", "processors", "network", "mappings", NULL};
    for (const char *const *block = blocks; *block; block++) {
        if (strcmp(found, "{") != 0 || ctx->tokens > 2 || !spells(ctx, ctx->head_span, *block))
            continue;
        syntax_error(ctx, ctx->head_span,
                     "`%s { ... }` is part of a description for `amoget`, not of a PEPA model",
                     *block);
        ctx->stop = true;
        return true;
    }
    return false;
}

void syntax_unexpected(Parsing *ctx, const char *found, Span span, const char *const *names,
                       int count)
{
    static const char *const starts[] = {"a lower-case name", "an upper-case name", "a quoted name",
                                         "(", NULL};
    Expected expected = {names, count};
    uint32_t gap = ctx->before_span.end;
    const char *said = advice(ctx, found, span, expected);
    if (ctx->tokens == 2 && one_of(found, starts) && advise_language(ctx))
        said = NULL;
    else if (has(expected, ";") && !has(expected, "#") && one_of(found, starts) &&
             syntax_new_line(ctx, gap, span.begin))
        syntax_error(ctx, (Span){gap, gap}, "missing `;`");
    else if (said)
        syntax_error(ctx, span, "%s", said);
    else if (!advise_description(ctx, found) && !advise_case(ctx, found, span, expected))
        generic(ctx, found, span, expected);
    ctx->failed = true;
}
