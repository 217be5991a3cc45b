/* Reads a query: scanner, grammar, names of measures, meaning of names. */
#include "parser/query/reading.h"
#include "query.tab.h"

#include <string.h>

static void read_all(Reading *ctx)
{
    if (setjmp(ctx->scan.failed) != 0) {
        ctx->failed = true;
        return;
    }
    reading_begin(ctx);
    (void)query_yyparse(ctx);
}

/* The names of items that have none: their texts. */
static void name_items(Reading *ctx, size_t first)
{
    Query *q = ctx->query;
    for (size_t i = first; i < q->item_count && !ctx->failed; i++) {
        QueryItem *item = &q->items[i];
        const char *text = ctx->scan.source->text + item->span.begin;
        if (item->name || item->role == ROLE_PREDICATE)
            continue;
        item->name = arena_copy(&q->arena, text, item->span.end - item->span.begin);
        ctx->failed = !item->name;
    }
}

/* The comparison that was read becomes two items, its sides. */
static void split_constraint(Reading *ctx, size_t first)
{
    Query *q = ctx->query;
    if (ctx->failed || q->item_count == first)
        return; /* an error has been reported */
    const QueryItem whole = q->items[first];
    const QueryNode root = q->nodes[whole.body];
    if (root.kind != QUERY_LE && root.kind != QUERY_GE) {
        reading_error(ctx, whole.span, "a constraint is EXPR <= VALUE or EXPR >= VALUE");
        q->item_count = first;
        return;
    }
    q->items[first].body = root.a;
    q->items[first].role = root.kind == QUERY_LE ? ROLE_AT_MOST : ROLE_AT_LEAST;
    query_item(ctx, NULL, q->nodes[root.b].span, root.b);
    q->items[q->item_count - 1].role = ROLE_BOUND;
    q->node_count = (size_t)whole.body;
}

PepaStatus query_read(Query *query, const Source *source, QueryForm form, const Model *model,
                      DiagList *diags)
{
    static const struct {
        int start;
        QueryRole role;
    } forms[] = {[QUERY_MEASURES] = {TOKEN_START_MEASURES, ROLE_MEASURE},
                 [QUERY_PREDICATE] = {TOKEN_START_PREDICATE, ROLE_PREDICATE},
                 [QUERY_VALUE] = {TOKEN_START_PREDICATE, ROLE_VALUE},
                 [QUERY_CONSTRAINT] = {TOKEN_START_PREDICATE, ROLE_MEASURE},
                 [QUERY_FORMULA] = {TOKEN_START_FORMULA, ROLE_PREDICATE}};
    const size_t errors = diags->errors, nodes = query->node_count, items = query->item_count;
    Reading ctx = {.scan.source = source,
                   .diags = diags,
                   .query = query,
                   .start = forms[form].start,
                   .role = forms[form].role,
                   .lines = form == QUERY_MEASURES,
                   .formula = form == QUERY_FORMULA};
    read_all(&ctx);
    arena_free(&ctx.scan.arena);
    if (form == QUERY_CONSTRAINT)
        split_constraint(&ctx, items);
    name_items(&ctx, items);
    ctx.failed = ctx.failed || !query_resolve(query, nodes, items, model, diags);
    if (form == QUERY_FORMULA && diags->errors == errors && !ctx.failed)
        ctx.failed = !query_check_formula(query, diags);
    PepaStatus status = ctx.failed || diags->no_memory ? PEPA_ENOMEM
                        : diags->errors == errors      ? PEPA_OK
                                                       : PEPA_EARG;
    if (status != PEPA_OK) {
        query->node_count = nodes;
        query->item_count = items;
        query->formula_count = 0;
    }
    return status;
}

PepaStatus query_copy(Query *out, const Query *query, const Model *model, DiagList *diags)
{
    const size_t errors = diags->errors;
    Query q = {0};
    bool ok = mem_grow(q.nodes, q.node_cap, query->node_count + 1) &&
              mem_grow(q.items, q.item_cap, query->item_count + 1);
    if (ok) {
        memcpy(q.nodes, query->nodes, query->node_count * sizeof *q.nodes);
        memcpy(q.items, query->items, query->item_count * sizeof *q.items);
        q.node_count = query->node_count;
        q.item_count = query->item_count;
        ok = query_resolve(&q, 0, 0, model, diags) && !diags->no_memory;
    }
    PepaStatus status = !ok ? PEPA_ENOMEM : diags->errors == errors ? PEPA_OK : PEPA_EARG;
    if (status == PEPA_OK)
        *out = q;
    else
        query_free(&q);
    return status;
}

void query_free(Query *query)
{
    mem_free_all(query->nodes, query->items, query->formula);
    arena_free(&query->arena);
    *query = (Query){0};
}
