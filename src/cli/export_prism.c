/* PRISM's explicit files: transitions (.tra), states (.sta), labels (.lab); states from 0.
 * Source: PRISM manual, "Explicit model files". */
#include <ctype.h>
#include <stdlib.h>

#include "export.h"

/* ---- states ---------------------------------------------------------------------------------- */

char identifier_char(char c)
{
    return isalnum((unsigned char)c) ? c : '_';
}

void write_identifier(FILE *to, const char *name)
{
    for (const char *p = name; *p; p++)
        (void)fputc(identifier_char(*p), to);
}

int compare_identifiers(const char *a, const char *b)
{
    for (; *a && *b && identifier_char(*a) == identifier_char(*b); a++)
        b++;
    const char x = *a ? identifier_char(*a) : '\0', y = *b ? identifier_char(*b) : '\0';
    return (x > y) - (x < y);
}

/* The state's number, since counts alone may not tell states apart (copies of composite
 * components); one variable per single component (its local state's index), one per local state of
 * copies (their number).  The numbers in front tell their names apart. */
static void write_variables(const Session *s, FILE *to)
{
    const char *between = "(state,";
    for (int32_t p = 0; p < s->info.positions; p++) {
        PepaPosition position = pepa_chain_position(s->chain, p);
        int32_t variables = position.copies > 1 ? position.local_count : 1;
        for (int32_t l = 0; l < variables; l++) {
            (void)fprintf(to, position.copies > 1 ? "%sp%d_%d_" : "%sp%d_", between, p + 1, l + 1);
            write_identifier(to, pepa_chain_local_name(s->chain, position.local[l]));
            between = ",";
        }
    }
    (void)fputs(")\n", to);
}

static void write_valuation(const Session *s, int32_t state, const int32_t *counts, FILE *to)
{
    (void)fprintf(to, "%d:(%d,", state, state);
    const char *between = "";
    for (int32_t p = 0; p < s->info.positions; p++) {
        PepaPosition position = pepa_chain_position(s->chain, p);
        for (int32_t l = 0; l < position.local_count; l++) {
            if (position.copies > 1)
                (void)fprintf(to, "%s%d", between, counts[l]);
            else if (counts[l])
                (void)fprintf(to, "%s%d", between, l);
            else
                continue;
            between = ",";
        }
        counts += position.local_count;
    }
    (void)fputs(")\n", to);
}

int write_sta(const Session *s, FILE *to)
{
    int32_t *counts = calloc((size_t)s->info.counts + 1, sizeof *counts);
    PepaError err = {.message = "out of memory"};
    PepaStatus status = counts ? PEPA_OK : PEPA_ENOMEM;
    if (status == PEPA_OK)
        write_variables(s, to);
    for (int32_t i = 0; i < s->info.states && status == PEPA_OK; i++) {
        status = pepa_chain_state_counts(s->chain, i, counts, &err);
        if (status == PEPA_OK)
            write_valuation(s, i, counts, to);
    }
    free(counts);
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

/* ---- labels ---------------------------------------------------------------------------------- */

enum { INIT, DEADLOCK, OWN };

int write_lab(const Session *s, FILE *to)
{
    const PepaTransitions *t = &s->transitions;
    const size_t labels = s->options->label_count;
    (void)fprintf(to, "%d=\"init\" %d=\"deadlock\"", INIT, DEADLOCK);
    for (size_t l = 0; l < labels; l++)
        (void)fprintf(to, " %zu=\"%s\"", OWN + l, s->labels[l].name);
    (void)fputs("\n", to);
    for (int32_t i = 0; i < s->info.states; i++) {
        bool any = false;
        for (size_t l = 0; l < OWN + labels; l++) {
            bool has = l == INIT       ? starts_in(s, i)
                       : l == DEADLOCK ? t->row[i] == t->row[i + 1]
                                       : s->labels[l - OWN].holds[i] != 0;
            if (has && !any)
                (void)fprintf(to, "%d:", i);
            if (has)
                (void)fprintf(to, " %zu", l);
            any = any || has;
        }
        if (any)
            (void)fputs("\n", to);
    }
    return EXIT_SOLVED;
}

/* ---- transitions ----------------------------------------------------------------------------- */

static void write_head(const Session *s, int32_t n, FILE *to)
{
    (void)fprintf(to,
                  "%%%%MatrixMarket matrix coordinate real general\n"
                  "%% generator of %s: rows sum to 0, ",
                  model_name(s->options));
    (void)fputs(s->start ? "and it begins in\n" : "state 1 is the initial one\n", to);
    for (int32_t i = 0; i < n && s->start; i++)
        if (starts_in(s, i))
            (void)fprintf(to, "%% state %d with probability " FULL "\n", (int)i + 1, s->start[i]);
    (void)fprintf(to, "%d ", (int)n);
}

int write_generator(const Session *s, bool mtx, FILE *to)
{
    PepaMatrix q;
    PepaError err;
    PepaStatus status = pepa_chain_generator(s->chain, &q, &err);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    if (mtx)
        write_head(s, q.n, to);
    (void)fprintf(to, "%d %lld\n", q.n, (long long)(mtx ? q.row[q.n] : q.row[q.n] - q.n));
    for (int32_t i = 0; i < q.n; i++)
        for (int64_t k = q.row[i]; k < q.row[i + 1]; k++)
            if (mtx || q.col[k] != i)
                (void)fprintf(to, "%d %d " FULL "\n", i + mtx, q.col[k] + mtx, q.val[k]);
    pepa_matrix_free(&q);
    return EXIT_SOLVED;
}

static int by_identifier(const void *one, const void *other)
{
    return compare_identifiers(*(const char *const *)one, *(const char *const *)other);
}

static int check_actions(const Session *s)
{
    const int32_t count = s->info.actions;
    const char **name = calloc((size_t)count + 1, sizeof *name);
    int status = name ? EXIT_SOLVED : out_of_memory();
    for (int32_t a = 0; a < count && name; a++)
        name[a] = pepa_chain_action_name(s->chain, a);
    if (name)
        qsort(name, (size_t)count, sizeof *name, by_identifier);
    for (int32_t a = 1; a < count && status == EXIT_SOLVED; a++)
        if (by_identifier(&name[a - 1], &name[a]) == 0)
            status = fail(EXIT_USAGE,
                          "pepa export: the actions `%s` and `%s` would be called the same, in "
                          "letters, digits and _: rename one of them in the model",
                          name[a - 1], name[a]);
    free(name);
    return status;
}

/* One for each action; self-loops are no transitions of a CTMC. */
static int write_actions(const Session *s, FILE *to)
{
    const PepaTransitions *t = &s->transitions;
    const int status = check_actions(s);
    if (status != EXIT_SOLVED)
        return status;
    long long count = 0;
    for (int32_t i = 0; i < s->info.states; i++)
        for (int64_t k = t->row[i]; k < t->row[i + 1]; k++)
            count += t->target[k] != i;
    (void)fprintf(to, "%lld %lld\n", (long long)s->info.states, count);
    for (int32_t i = 0; i < s->info.states; i++)
        for (int64_t k = t->row[i]; k < t->row[i + 1]; k++) {
            if (t->target[k] == i)
                continue;
            (void)fprintf(to, "%d %d " FULL " ", i, t->target[k], pepa_transition_rate(t, k));
            write_identifier(to, pepa_chain_action_name(s->chain, pepa_transition_action(t, k)));
            (void)fputs("\n", to);
        }
    return EXIT_SOLVED;
}

int write_tra(const Session *s, FILE *to)
{
    return s->options->actions ? write_actions(s, to) : write_generator(s, false, to);
}
