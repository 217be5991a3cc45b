/* pepa export: the chain in other tools' formats.
 *   prism   explicit files .tra .sta .lab (PRISM manual, "Explicit model files"); states from 0
 *   mtx     the generator, Matrix Market coordinate format; states from 1
 *   dot     the derivation graph for Graphviz; csv: its edges; states from 1
 *   pepa    the model's text in the plug-in's notation */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"

typedef int Writer(const Session *s, FILE *to);

/* ---- PRISM --------------------------------------------------------------------------------- */

/* A variable's name: the component's or local state's, in letters, digits and _ only, told apart by
 * the numbers before it. */
static void variable(FILE *to, const char *name)
{
    for (const char *p = name; *p; p++)
        (void)fputc(isalnum((unsigned char)*p) ? *p : '_', to);
}

/* The state's number, since counts alone may not tell states apart (copies of composite
 * components); one variable per single component (its local state's index), one per local state of
 * copies (their number). */
static void write_variables(const Session *s, FILE *to)
{
    const char *between = "(state,";
    for (int32_t p = 0; p < s->info.positions; p++) {
        PepaPosition position = pepa_chain_position(s->chain, p);
        int32_t variables = position.copies > 1 ? position.local_count : 1;
        for (int32_t l = 0; l < variables; l++) {
            (void)fprintf(to, position.copies > 1 ? "%sp%d_%d_" : "%sp%d_", between, p + 1, l + 1);
            variable(to, pepa_chain_local_name(s->chain, position.local[l]));
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

static int write_sta(const Session *s, FILE *to)
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

static int write_lab(const Session *s, FILE *to)
{
    const PepaTransitions *t = &s->transitions;
    (void)fprintf(to, "0=\"init\" 1=\"deadlock\"\n");
    for (int32_t i = 0; i < s->info.states; i++) {
        bool deadlock = t->row[i] == t->row[i + 1];
        if (i == 0 || deadlock)
            (void)fprintf(to, "%d:%s%s\n", i, i == 0 ? " 0" : "", deadlock ? " 1" : "");
    }
    return EXIT_SOLVED;
}

/* ---- others -------------------------------------------------------------------------------- */

/* The entries of the generator.  mtx: with its head, states from 1.  Else states from 0, and no
 * diagonal: it is none of a CTMC's rates. */
static int write_generator(const Session *s, bool mtx, FILE *to)
{
    PepaMatrix q;
    PepaError err;
    PepaStatus status = pepa_chain_generator(s->chain, &q, &err);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    if (mtx)
        (void)fprintf(to,
                      "%%%%MatrixMarket matrix coordinate real general\n"
                      "%% generator of %s: rows sum to 0, state 1 is the initial one\n%d ",
                      model_name(s->options), q.n);
    (void)fprintf(to, "%d %lld\n", q.n, (long long)(mtx ? q.row[q.n] : q.row[q.n] - q.n));
    for (int32_t i = 0; i < q.n; i++)
        for (int64_t k = q.row[i]; k < q.row[i + 1]; k++)
            if (mtx || q.col[k] != i)
                (void)fprintf(to, "%d %d " FULL "\n", i + mtx, q.col[k] + mtx, q.val[k]);
    pepa_matrix_free(&q);
    return EXIT_SOLVED;
}

static int write_tra(const Session *s, FILE *to)
{
    return write_generator(s, false, to);
}

static int write_mtx(const Session *s, FILE *to)
{
    return write_generator(s, true, to);
}

static int write_dot(const Session *s, FILE *to)
{
    const PepaTransitions *t = &s->transitions;
    (void)fprintf(to, "digraph pepa {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n"
                      "  1 [penwidth=2];\n");
    for (int32_t i = 0; i < s->info.states; i++) {
        char *text;
        PepaError err;
        PepaStatus status = pepa_chain_state_text(s->chain, i, &text, &err);
        if (status != PEPA_OK)
            return complain(s, status, &err);
        (void)fprintf(to, "  %d [label=", i + 1);
        json_string(to, text);
        (void)fprintf(to, "];\n");
        pepa_text_free(text);
        for (int64_t k = t->row[i]; k < t->row[i + 1]; k++) {
            const char *action = pepa_chain_action_name(s->chain, pepa_transition_action(t, k));
            (void)fprintf(to, "  %d -> %d [label=\"(%s, %.6g)\"];\n", i + 1, t->target[k] + 1,
                          action, pepa_transition_rate(t, k));
        }
    }
    (void)fprintf(to, "}\n");
    return EXIT_SOLVED;
}

static int write_csv(const Session *s, FILE *to)
{
    const PepaTransitions *t = &s->transitions;
    (void)fprintf(to, "source,action,target,rate\n");
    for (int32_t i = 0; i < s->info.states; i++)
        for (int64_t k = t->row[i]; k < t->row[i + 1]; k++) {
            (void)fprintf(to, "%d,", i + 1);
            csv_string(to, pepa_chain_action_name(s->chain, pepa_transition_action(t, k)));
            (void)fprintf(to, ",%d," FULL "\n", t->target[k] + 1, pepa_transition_rate(t, k));
        }
    return EXIT_SOLVED;
}

static int write_pepa(const Session *s, FILE *to)
{
    char *text;
    PepaError err;
    PepaStatus status = pepa_model_print(s->model, &text, &err);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    (void)fputs(text, to);
    pepa_text_free(text);
    return EXIT_SOLVED;
}

typedef struct {
    const char *name;
    Writer *write; /* NULL: the first three together */
} Format;
static const Format formats[] = {
    {"tra", write_tra}, {"sta", write_sta}, {"lab", write_lab},   {"mtx", write_mtx},
    {"dot", write_dot}, {"csv", write_csv}, {"pepa", write_pepa}, {"prism", NULL},
};
enum { FORMATS = sizeof formats / sizeof *formats, PRISM_FILES = 3 };

/* ---- files --------------------------------------------------------------------------------- */

/* Write a file per format, at most PRISM_FILES; several are told apart by the formats' names.  All
 * or none are replaced, unless renaming one of them fails. */
static int write_files(const Session *s, const Format *format, int count)
{
    Output output[PRISM_FILES] = {{0}};
    Text path[PRISM_FILES] = {{0}};
    int status = EXIT_SOLVED;
    for (int i = 0; i < count && status == EXIT_SOLVED; i++) {
        text_add(&path[i], count > 1 ? "%s.%s" : "%s", s->options->output, format[i].name);
        status = path[i].failed ? out_of_memory() : output_open(&output[i], path[i].text);
        if (status == EXIT_SOLVED)
            status = format[i].write(s, output[i].to);
        if (status == EXIT_SOLVED)
            status = output_close(&output[i]);
    }
    for (int i = 0; i < count && status == EXIT_SOLVED; i++)
        status = output_keep(&output[i]);
    for (int i = 0; i < count; i++) {
        output_free(&output[i]);
        text_free(&path[i]);
    }
    return status;
}

static int write_format(const Session *s, const Format *format)
{
    if (!format->write)
        return write_files(s, formats, PRISM_FILES);
    if (s->options->output)
        return write_files(s, format, 1);
    int status = format->write(s, stdout);
    int written = finish_output();
    return status == EXIT_SOLVED ? written : status;
}

int cmd_export(Options *options)
{
    const Format *format = NULL;
    const char *name = options->format, *meant = NULL;
    for (size_t i = 0; name && i < FORMATS; i++)
        if (strcmp(name, formats[i].name) == 0)
            format = &formats[i];
        else if (strcasecmp(name, formats[i].name) == 0)
            meant = formats[i].name;
    if (!format && meant)
        return fail(EXIT_USAGE, "pepa export: unknown format %s; did you mean %s?", name, meant);
    if (!format)
        return fail(EXIT_USAGE,
                    "pepa export: %s%s; --format is one of prism tra sta lab mtx dot csv pepa",
                    name ? "unknown format " : "which format", name ? name : "");
    if (!format->write && !options->output)
        return fail(EXIT_USAGE, "pepa export: prism writes three files: give --output NAME for "
                                "NAME.tra, NAME.sta and NAME.lab");
    Session s;
    int status =
        format->write == write_pepa ? session_read(&s, options) : session_derive(&s, options);
    if (status == EXIT_SOLVED)
        status = write_format(&s, format);
    session_free(&s);
    return status;
}
