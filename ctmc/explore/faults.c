/* Reports what is wrong with a state: faults of events, and rates that are not finite and > 0. */
#include <math.h>

#include "ctmc/explore/explorer.h"

/* "(P, Q:3)"; the cells of moves are then those of the state. */
static void put_state(Explorer *x, const uint64_t *packed, Text *text)
{
    system_unpack(x->chain->system, packed, x->expander.moves.cells);
    system_state_text(x->chain->system, x->expander.moves.cells, text);
}

/* A way round a timeless trap: all that a state of it leads to is part of the trap as well. */
PepaStatus report_trap(Explorer *x, const uint64_t *packed)
{
    enum { MOST_SHOWN = 12 };
    Expander *e = &x->expander;
    const System *s = x->chain->system;
    Text text = {0};
    Table met = {0};
    Block b = {0};
    bool ok = table_init(&met, s->words) && table_put(&met, packed, table_hash(&met, packed)) == 0;
    int32_t at = 0, steps = 0;
    put_state(x, packed, &text);
    for (; ok && at == steps && steps < MOST_SHOWN; steps++) {
        b.moves = 0;
        ok = expand_one(e, table_state(&met, at), &b) == EXPANDED && b.moves > 0;
        if (!ok)
            break;
        text_add(&text, " -%s-> ", x->chain->model->actions[kind_action(e->kinds, b.kind[0])]);
        put_state(x, b.target, &text);
        at = table_put(&met, b.target, table_hash(&met, b.target));
        ok = at >= 0;
    }
    if (ok && at == steps)
        text_add(&text, " ...");
    if (ok && !text.failed)
        diag_error(x->diags, (Span){SPAN_NOWHERE, SPAN_NOWHERE},
                   "immediate activities go on for ever, and no time passes: %s; let one of these "
                   "actions take time",
                   text.text);
    ok = ok && !text.failed;
    text_free(&text);
    table_free(&met);
    block_free(&b);
    return ok ? PEPA_OK : error_memory(x->err);
}

PepaStatus report_start(Explorer *x, const uint64_t *packed)
{
    Expander *e = &x->expander;
    e->interpreting = true;
    const Expansion how = expand_start(e, packed, &x->block);
    e->interpreting = false;
    PepaStatus status = how == EXPAND_FAULTY ? report_faults(x, packed) : explore_no_memory(x);
    return status == PEPA_OK
               ? error_set(x->err, PEPA_EMODEL, "some activities of the model have no meaning")
               : status;
}

PepaStatus report_faults(Explorer *x, const uint64_t *packed)
{
    const Expander *e = &x->expander;
    const System *s = x->chain->system;
    if (e->culprit)
        packed = e->culprit;
    if (e->trapped) {
        const uint8_t bit = 1u << FAULT_KINDS;
        const bool again = x->reported[ACTION_TAU] & bit;
        x->reported[ACTION_TAU] |= bit;
        return again ? PEPA_OK : report_trap(x, packed);
    }
    for (size_t i = 0; i < e->fault_count; i++) {
        const Event *event = &s->events[e->faults[i].event];
        uint8_t bit = (uint8_t)(1u << e->faults[i].kind);
        if (x->reported[event->action] & bit)
            continue;
        x->reported[event->action] |= bit;
        Text text = {0};
        put_state(x, packed, &text);
        if (text.failed) {
            text_free(&text);
            return error_memory(x->err);
        }
        const char *name = x->chain->model->actions[event->action];
        Span span = moves_blame(&e->moves, e->faults[i].event);
        if (e->faults[i].kind == FAULT_MIXED && s->preempts)
            diag_error(x->diags, span,
                       "rates of `%s` that do not add up meet in one component, in state %s: all "
                       "have to be timed, or immediate, or passive, and of one priority",
                       name, text.text);
        else if (e->faults[i].kind == FAULT_MIXED)
            diag_error(x->diags, span,
                       "active and passive rates of `%s` meet in one component, in state %s; make "
                       "them all active or all passive, or let the components cooperate on `%s`",
                       name, text.text, name);
        else if (event->action == ACTION_TAU)
            diag_error(x->diags, span,
                       "a passive `tau` has nothing to drive it, in state %s: tau never "
                       "cooperates, so give it a rate",
                       text.text);
        else if (event->label == ACTION_TAU)
            diag_error(x->diags, span,
                       "passive activity `%s` is hidden before anything drives it, in state %s; "
                       "hide it further out, or give it a rate",
                       name, text.text);
        else
            diag_error(x->diags, span,
                       "passive activity `%s` has nothing to drive it in state %s; let it "
                       "cooperate with a component that does `%s` at an active rate",
                       name, text.text, name);
        text_free(&text);
    }
    return PEPA_OK;
}

/* What kind of rate a term is, for messages. */
static const char *const kind_of_rate[] = {
    [TERM_ONE] = "the rate",
    [TERM_EXPR] = "the rate",
    [TERM_FUNCTIONAL] = "the rate",
    [TERM_SCALE] = "the total rate",
    [TERM_SUM] = "the total rate",
    [TERM_MIN] = "the rate of a cooperation",
    [TERM_SHARE] = "the rate of a cooperation, or the probability of immediate activities,",
};

/* An expression that a term is built on.  1 is that of no activity. */
static int32_t leaf_of(const RateTable *rates, int32_t term)
{
    for (;;) {
        const Term t = rates->terms[term];
        const bool two = t.op == TERM_SUM || t.op == TERM_MIN || t.op == TERM_SHARE;
        if (t.op == TERM_ONE || t.op == TERM_EXPR || t.op == TERM_FUNCTIONAL)
            return term;
        term = two && rates->terms[t.a].op == TERM_ONE ? t.b : t.a;
    }
}

PepaStatus report_rate(Explorer *x, const uint64_t *packed)
{
    const RateTable *rates = &x->chain->rates;
    const Model *model = x->chain->model;
    if (rates->status != PEPA_EMODEL)
        return explore_no_memory(x);
    const int32_t leaf = leaf_of(rates, rates->bad); /* some activity that it is built on */
    int32_t k = 0;
    while (k + 1 < model->activity_count && model->activities[k].expr != rates->terms[leaf].a)
        k++;
    Text text = {0};
    if (packed)
        put_state(x, packed, &text);
    const char *kind = kind_of_rate[rates->terms[rates->bad].op],
               *action = model->actions[model->activities[k].action],
               *where = packed ? " in state " : "", *state = text.text ? text.text : "";
    const double value = rates->value[rates->bad];
    if (isnan(value))
        diag_error(x->diags, model->activities[k].span,
                   "%s of `%s` has no value%s%s: a division by 0, or numbers that are too large; "
                   "rates must be finite and > 0",
                   kind, action, where, state);
    else
        diag_error(x->diags, model->activities[k].span,
                   "%s of `%s` comes to %g%s%s; rates must be finite and > 0", kind, action, value,
                   where, state);
    text_free(&text);
    return error_set(x->err, PEPA_EMODEL, "a rate is not finite and > 0");
}

PepaStatus report_exit(Explorer *x, const uint64_t *packed, double exit)
{
    Text text = {0};
    put_state(x, packed, &text);
    diag_error(x->diags, (Span){SPAN_NOWHERE, SPAN_NOWHERE},
               "the rates out of state %s add up to %g; use a smaller unit of time",
               text.text ? text.text : "", exit);
    text_free(&text);
    return error_set(x->err, PEPA_EMODEL, "the rates out of a state overflow");
}

PepaStatus explore_blame(Explorer *x, const uint64_t *packed)
{
    Block *b = &x->block;
    if (!block_begin(b, 0, 1))
        return error_memory(x->err);
    Expansion how = expand_state(&x->expander, packed, b);
    PepaStatus status = PEPA_OK;
    if (how == EXPAND_FAULTY) {
        how = expand_interpreted(&x->expander, packed, b);
        status = report_faults(x, packed);
        if (status == PEPA_OK)
            status = error_set(x->err, PEPA_EMODEL, "some activities of the model have no meaning");
    }
    if (how != EXPANDED)
        return explore_no_memory(x);
    if (status == PEPA_OK && x->chain->rates.status != PEPA_OK)
        return report_rate(x, packed);
    double exit = 0;
    for (size_t m = 0; m < b->moves; m++)
        exit += x->chain->rates.value[kind_term(&x->kinds, b->kind[m])];
    return status == PEPA_OK ? report_exit(x, packed, exit) : status;
}
