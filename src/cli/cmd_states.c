/* pepa states: numbered states, filtered, with their probabilities when solved. */
#include <stdlib.h>
#include <string.h>

#include "session.h"

typedef struct {
    double p; /* 0 until solved */
    int32_t state;
} Chosen;

typedef struct {
    Session *s;
    int32_t *counts; /* of the state at hand */
    int32_t *with;   /* per --with: its local state */
    int32_t enables; /* action, or -1 */
    uint8_t *where;  /* per state: the predicate is true there; NULL: there is none */
    Chosen *chosen;
    int32_t chosen_count;
} Filter;

/* The number of a name; -1, with a message: there is none. */
static int32_t find(const Session *s, const char *what, const char *name, int32_t count,
                    const char *(*name_of)(const PepaChain *chain, int32_t i))
{
    for (int32_t i = 0; i < count; i++)
        if (strcmp(name_of(s->chain, i), name) == 0)
            return i;
    return fail(-1, "pepa states: %s has no %s '%s'", model_name(s->options), what, name);
}

static int prepare(Filter *f)
{
    const Session *s = f->s;
    const Options *o = s->options;
    f->counts = calloc((size_t)s->info.counts + 1, sizeof *f->counts);
    f->with = calloc(o->with_count + 1, sizeof *f->with);
    f->chosen = calloc((size_t)s->info.states, sizeof *f->chosen);
    if (!f->counts || !f->with || !f->chosen)
        return out_of_memory();
    if (s->where) {
        PepaError err;
        f->where = calloc((size_t)s->info.states, sizeof *f->where);
        PepaStatus found =
            f->where ? pepa_predicate_states(s->where, s->chain, f->where, &err) : PEPA_OK;
        if (!f->where)
            return out_of_memory();
        if (found != PEPA_OK)
            return complain(s, found, &err);
    }
    for (size_t i = 0; i < o->with_count; i++) {
        f->with[i] =
            find(s, "local state", o->with[i], s->info.local_states, pepa_chain_local_name);
        if (f->with[i] < 0)
            return EXIT_USAGE;
    }
    f->enables = -1;
    if (o->enables)
        f->enables = find(s, "action", o->enables, s->info.actions, pepa_chain_action_name);
    return o->enables && f->enables < 0 ? EXIT_USAGE : EXIT_SOLVED;
}

/* Whether some component is in a local state. */
static bool has_local(const Filter *f, int32_t local)
{
    for (int32_t p = 0, at = 0; p < f->s->info.positions; p++) {
        PepaPosition position = pepa_chain_position(f->s->chain, p);
        for (int32_t l = 0; l < position.local_count; l++, at++)
            if (f->counts[at] && position.local[l] == local)
                return true;
    }
    return false;
}

static bool has_locals(const Filter *f)
{
    size_t count = f->s->options->with_count, i = 0;
    while (i < count && has_local(f, f->with[i]))
        i++;
    return i == count;
}

static bool can_do(const Filter *f, int32_t state)
{
    const PepaTransitions *t = &f->s->transitions;
    if (f->enables < 0)
        return true;
    for (int64_t k = t->row[state]; k < t->row[state + 1]; k++)
        if (pepa_transition_action(t, k) == f->enables)
            return true;
    return false;
}

static int choose(Filter *f)
{
    const Session *s = f->s;
    const Options *o = s->options;
    for (int32_t state = 0; state < s->info.states; state++) {
        double p = s->pi ? s->pi[state] : 0;
        if ((f->where && !f->where[state]) || (s->pi && (p < o->least || p > o->most)) ||
            !can_do(f, state))
            continue;
        if (o->with_count && pepa_chain_state_counts(s->chain, state, f->counts, NULL) != PEPA_OK)
            return out_of_memory();
        if (has_locals(f))
            f->chosen[f->chosen_count++] = (Chosen){p, state};
    }
    return EXIT_SOLVED;
}

static int more_probable(const void *a, const void *b)
{
    const Chosen *x = a, *y = b;
    if (x->p != y->p)
        return x->p > y->p ? -1 : 1;
    return (x->state > y->state) - (x->state < y->state);
}

/* Keep the `top` most probable of the chosen states, if that is requested. */
static void keep_top(Filter *f, int64_t top)
{
    if (!top)
        return;
    qsort(f->chosen, (size_t)f->chosen_count, sizeof *f->chosen, more_probable);
    if (f->chosen_count > top)
        f->chosen_count = (int32_t)top;
}

static void print_state(const Session *s, int32_t state, const char *text, bool first)
{
    if (s->options->json) {
        (void)printf("%s\n    { \"number\": %d, \"state\": ", first ? "" : ",", state + 1);
        json_string(stdout, text);
        if (s->pi)
            (void)printf(", \"probability\": " FULL, s->pi[state]);
        (void)printf(" }");
    } else if (s->options->csv) {
        (void)printf("%d,", state + 1);
        csv_string(stdout, text);
        if (s->pi)
            (void)printf("," FULL, s->pi[state]);
        (void)printf("\n");
    } else if (s->pi) {
        (void)printf("%8d  %-16.10g  %s\n", state + 1, s->pi[state], text);
    } else {
        (void)printf("%8d  %s\n", state + 1, text);
    }
}

static void print_head(const Filter *f)
{
    const Session *s = f->s;
    char shown[NUMBER_SIZE], all[NUMBER_SIZE];
    if (s->options->json) {
        (void)printf("{ \"model\": ");
        json_string(stdout, model_name(s->options));
        (void)printf(", \"states\": %lld, \"shown\": %d,\n  \"list\": [", (long long)s->info.states,
                     f->chosen_count);
    } else if (s->options->csv) {
        (void)printf("number,state%s\n", s->pi ? ",probability" : "");
    } else {
        (void)printf("%s: %s of %s states\n", model_name(s->options),
                     number_grouped(f->chosen_count, shown), number_grouped(s->info.states, all));
    }
}

static int print_all(const Filter *f)
{
    const Session *s = f->s;
    print_head(f);
    for (int32_t i = 0; i < f->chosen_count; i++) {
        char *text;
        PepaError err;
        PepaStatus status = pepa_chain_state_text(s->chain, f->chosen[i].state, &text, &err);
        if (status != PEPA_OK)
            return complain(s, status, &err);
        print_state(s, f->chosen[i].state, text, i == 0);
        pepa_text_free(text);
    }
    if (s->options->json)
        (void)printf("%s] }\n", f->chosen_count ? "\n  " : "");
    return finish_output();
}

int cmd_states(Options *options)
{
    Session s;
    Filter f = {.s = &s};
    int status = session_derive(&s, options);
    if (status == EXIT_SOLVED)
        status = prepare(&f);
    if (status == EXIT_SOLVED && options->solve)
        status = session_solve(&s);
    if (status == EXIT_SOLVED)
        status = choose(&f);
    if (status == EXIT_SOLVED) {
        keep_top(&f, options->top);
        status = print_all(&f);
    }
    free(f.counts);
    free(f.with);
    free(f.where);
    free(f.chosen);
    session_free(&s);
    return status;
}
