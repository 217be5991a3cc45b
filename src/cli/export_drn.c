/* Storm's explicit format (DRN): a continuous-time chain with labels of states and rewards.
 *
 *   state 0 !1.5 [0.25,3] init down     exit rate, rewards in the order of @reward_models, labels
 *       action 0
 *           1 : 1.5                     the rate to state 1
 *
 * Source: Storm, DirectEncodingParser.cpp, which reads it. */
#include <math.h>
#include <stdlib.h>

#include "export.h"

/* They stand side by side. */
static int check_names(const Session *s)
{
    for (int32_t i = 0; i < pepa_measures_count(s->measures); i++)
        for (int32_t k = 0; k < i; k++) {
            const char *name = pepa_measures_name(s->measures, i);
            if (compare_identifiers(name, pepa_measures_name(s->measures, k)) == 0)
                return fail(
                    EXIT_USAGE,
                    "pepa export: two rewards would be called like `%s`, in letters, digits "
                    "and _: name them, as --measure 'NAME = EXPR'",
                    name);
        }
    return EXIT_SOLVED;
}

/* reward[s * measures + i]; NULL without measures.  The caller frees it. */
static int find_rewards(const Session *s, double **reward)
{
    PepaError err = {0};
    if (!s->measures)
        return EXIT_SOLVED;
    const size_t count = (size_t)pepa_measures_count(s->measures);
    *reward = calloc((size_t)s->info.states * count + 1, sizeof **reward);
    int status = *reward ? check_names(s) : out_of_memory();
    if (status != EXIT_SOLVED)
        return status;
    PepaStatus found = pepa_measures_rewards(s->measures, s->chain, *reward, &err);
    if (found != PEPA_OK)
        return complain(s, found, &err);
    for (size_t i = 0; i < (size_t)s->info.states * count; i++)
        if (!isfinite((*reward)[i]))
            return fail(EXIT_USAGE, "pepa: %s: measure `%s` has no value in state %zu",
                        model_name(s->options),
                        pepa_measures_name(s->measures, (int32_t)(i % count)), i / count);
    return EXIT_SOLVED;
}

static void write_head(const Session *s, bool rewards, FILE *to)
{
    (void)fprintf(to, "// Exported by pepa %s\n@type: CTMC\n@parameters\n\n", pepa_version());
    if (rewards)
        (void)fputs("@reward_models\n", to);
    for (int32_t i = 0; rewards && i < pepa_measures_count(s->measures); i++) {
        (void)fputs(i ? " " : "", to);
        write_identifier(to, pepa_measures_name(s->measures, i));
    }
    (void)fprintf(to, "%s@nr_states\n%lld\n@nr_choices\n%lld\n@model\n", rewards ? "\n" : "",
                  (long long)s->info.states, (long long)s->info.states);
}

/* Exit rate, rewards and labels. */
static void write_state(const Session *s, int32_t i, double exit, const double *reward, FILE *to)
{
    const PepaTransitions *t = &s->transitions;
    (void)fprintf(to, "state %d !" FULL, i, exit);
    const int32_t count = reward ? pepa_measures_count(s->measures) : 0;
    for (int32_t k = 0; k < count; k++)
        (void)fprintf(to, "%s" FULL "%s", k ? "," : " [",
                      reward[(size_t)i * (size_t)count + (size_t)k], k + 1 == count ? "]" : "");
    (void)fputs(starts_in(s, i) ? " init" : "", to);
    (void)fputs(t->row[i] == t->row[i + 1] ? " deadlock" : "", to);
    for (size_t l = 0; l < s->options->label_count; l++)
        if (s->labels[l].holds[i])
            (void)fprintf(to, " %s", s->labels[l].name);
    (void)fputs("\n\taction 0\n", to);
}

/* A state that is never left has a self-loop of rate 1, as Storm and PRISM give it: they know no
 * states without transitions. */
static void write_model(const Session *s, const PepaMatrix *q, const double *reward, FILE *to)
{
    for (int32_t i = 0; i < q->n; i++) {
        double exit = 0;
        for (int64_t k = q->row[i]; k < q->row[i + 1]; k++)
            exit = q->col[k] == i ? -q->val[k] : exit;
        write_state(s, i, exit > 0 ? exit : 1, reward, to);
        if (!(exit > 0))
            (void)fprintf(to, "\t\t%d : 1\n", i);
        for (int64_t k = q->row[i]; k < q->row[i + 1]; k++)
            if (q->col[k] != i)
                (void)fprintf(to, "\t\t%d : " FULL "\n", q->col[k], q->val[k]);
    }
}

int write_drn(const Session *s, FILE *to)
{
    PepaMatrix q;
    PepaError err;
    double *reward = NULL;
    int status = find_rewards(s, &reward);
    if (status == EXIT_SOLVED) {
        PepaStatus made = pepa_chain_generator(s->chain, &q, &err);
        status = made == PEPA_OK ? EXIT_SOLVED : complain(s, made, &err);
    }
    if (status == EXIT_SOLVED) {
        write_head(s, reward != NULL, to);
        write_model(s, &q, reward, to);
        pepa_matrix_free(&q);
    }
    free(reward);
    return status;
}
