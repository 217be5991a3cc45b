/* Reading queries in tests: what came out, as a text, and what was found. */
#ifndef TESTS_PARSER_QUERYING_H
#define TESTS_PARSER_QUERYING_H

#include "parser/query/query.h"
#include "reading.h"

/* One component, two copies, and one whose names are quoted. */
static inline Model *query_model(void)
{
    return expect_model("r = 2; serve = 3; slow = r * Gone; any = T;\n"
                        "Idle = (work, r).Busy; Busy = (serve, serve).Idle;\n"
                        "E1 = (a, r + Gone).E3; E3 = (b, 1).E1;\n"
                        "Gone = (c, 1).Gone;\n"
                        "\"on hold\" = (\"call in\", 1).\"on hold\";\n"
                        "Idle || E1[2] || \"on hold\"");
}

/* Adds what was found to `found`. */
static inline PepaStatus read_query(Query *query, const char *text, size_t length, QueryForm form,
                                    const Model *model, Text *found)
{
    DiagList diags = {0};
    Source source = {"test", text, length};
    PepaStatus status = query_read(query, &source, form, model, &diags);
    diag_sort(&diags);
    list_findings(&source, &diags, found);
    cr_assert_eq(status == PEPA_OK, diags.errors == 0);
    diag_free(&diags);
    return status;
}

static inline void show_node(const Query *q, const Model *model, int32_t node, Text *out);

/* "head a, b tail" */
static inline void show_operands(const Query *q, const Model *model, const QueryNode *node,
                                 const char *head, const char *tail, Text *out)
{
    text_add(out, "%s%s", node->name, head);
    for (int32_t i = node->a; i >= 0; i = q->nodes[i].next) {
        text_add(out, "%s", i == node->a ? "" : ", ");
        show_node(q, model, i, out);
    }
    text_add(out, "%s", tail);
}

static inline void show_name(const Query *q, const Model *model, const QueryNode *n, Text *out)
{
    switch (n->meaning) {
    case MEANS_NUMBER:
        text_add(out, "%g", n->number);
        break;
    case MEANS_RATE:
        cr_assert_str_eq(model->rates[n->id].name, n->name);
        text_add(out, "%s%s", n->states ? "rate " : "", n->name);
        break;
    case MEANS_LOCAL:
        cr_assert_str_eq(model->locals[n->id].name, n->name);
        if (n->position)
            text_add(out, "%d.", n->position);
        text_add(out, "%s", n->name);
        break;
    case MEANS_ACTION:
        cr_assert_str_eq(model->actions[n->id], n->name);
        text_add(out, "%s", n->name);
        break;
    case MEANS_DEADLOCK:
        text_add(out, "deadlock");
        break;
    default:
        cr_assert_eq(n->meaning, MEANS_EARLIER);
        text_add(out, "=%s", q->items[n->id].name);
    }
}

/* Every operator in brackets. */
static inline void show_node(const Query *q, const Model *model, int32_t node, Text *out)
{
    static const char *const sign[] =
        {[QUERY_ADD] = "+", [QUERY_SUB] = "-", [QUERY_MUL] = "*",  [QUERY_DIV] = "/",
         [QUERY_EQ] = "==", [QUERY_NE] = "!=", [QUERY_LT] = "<",   [QUERY_LE] = "<=",
         [QUERY_GT] = ">",  [QUERY_GE] = ">=", [QUERY_AND] = "&&", [QUERY_OR] = "||"};
    const QueryNode *n = &q->nodes[node];
    if (n->kind == QUERY_NUMBER) {
        text_add(out, "%g", n->number);
    } else if (n->kind == QUERY_NAME) {
        show_name(q, model, n, out);
    } else if (n->kind == QUERY_ATOM) {
        show_operands(q, model, n, ":{", "}", out);
    } else if (n->kind == QUERY_CALL) {
        show_operands(q, model, n, "(", ")", out);
    } else if (n->b < 0) {
        text_add(out, n->kind == QUERY_NOT ? "!" : "-");
        show_node(q, model, n->a, out);
    } else {
        text_add(out, "(");
        show_node(q, model, n->a, out);
        text_add(out, " %s ", sign[n->kind]);
        show_node(q, model, n->b, out);
        text_add(out, ")");
    }
}

/* An item to a line: `name = expression`, or the expression of a predicate. */
static inline void show_query(const Query *q, const Model *model, Text *out)
{
    text_add(out, "%s", "");
    for (size_t i = 0; i < q->item_count; i++) {
        const QueryItem *item = &q->items[i];
        cr_assert(item->first <= item->body && (size_t)item->body < q->node_count);
        if (item->name)
            text_add(out, "%s = ", item->name);
        show_node(q, model, item->body, out);
        text_add(out, "\n");
    }
}

static inline void expect_query(const char *text, QueryForm form, const char *wanted)
{
    Query query = {0};
    Text found = {0}, shown = {0};
    Model *model = query_model();
    PepaStatus status = read_query(&query, text, strlen(text), form, model, &found);
    cr_assert_eq(status, PEPA_OK, "found in\n%s\n%s", text, found.text);
    show_query(&query, model, &shown);
    cr_expect_str_eq(shown.text, wanted, "%s\nis read as\n%swanted\n%s", text, shown.text, wanted);
    text_free(&found);
    text_free(&shown);
    query_free(&query);
    model_free(model);
}

static inline void expect_measures(const char *text, const char *wanted)
{
    expect_query(text, QUERY_MEASURES, wanted);
}

static inline void expect_predicate(const char *text, const char *wanted)
{
    expect_query(text, QUERY_PREDICATE, wanted);
}

/* What is found is `wanted`, a line "1:2: error: ..." each, and the query stays as it was. */
static inline void expect_refused(const char *text, size_t length, QueryForm form,
                                  const char *wanted)
{
    static const char before[] = "before = 1\n";
    Query query = {0};
    Text found = {0}, shown = {0};
    Model *model = query_model();
    cr_assert_eq(read_query(&query, before, sizeof before - 1, QUERY_MEASURES, model, &found),
                 PEPA_OK);
    PepaStatus status = read_query(&query, text, length, form, model, &found);
    cr_expect_eq(status, PEPA_EARG, "%s", text);
    cr_expect_str_eq(found.text, wanted, "in\n%s\nfound\n%swanted\n%s", text, found.text, wanted);
    show_query(&query, model, &shown);
    cr_expect_str_eq(shown.text, before);
    text_free(&found);
    text_free(&shown);
    query_free(&query);
    model_free(model);
}

static inline void refuse_measures(const char *text, const char *wanted)
{
    expect_refused(text, strlen(text), QUERY_MEASURES, wanted);
}

static inline void refuse_predicate(const char *text, const char *wanted)
{
    expect_refused(text, strlen(text), QUERY_PREDICATE, wanted);
}

#endif
