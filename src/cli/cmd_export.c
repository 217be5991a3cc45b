/* pepa export: the chain in other tools' formats.
 *   prism   explicit files .tra .sta .lab; drn   Storm's explicit format
 *   mtx     the generator, Matrix Market coordinate format; states from 1
 *   dot     the derivation graph for Graphviz; csv: its edges; states from 1
 *   pepa    the model's text in the plug-in's notation */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "drawing.h"
#include "export.h"

typedef int Writer(const Session *s, FILE *to);

/* ---- others -------------------------------------------------------------------------------- */

static int write_mtx(const Session *s, FILE *to)
{
    return write_generator(s, true, to);
}

static int write_dot(const Session *s, FILE *to)
{
    const PepaTransitions *t = &s->transitions;
    (void)fputs("digraph pepa {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n", to);
    for (int32_t i = 0; i < s->info.states; i++) {
        char *text;
        PepaError err;
        PepaStatus status = pepa_chain_state_text(s->chain, i, &text, &err);
        if (status != PEPA_OK)
            return complain(s, status, &err);
        (void)fprintf(to, "  %d [label=", i + 1);
        json_string(to, text);
        (void)fprintf(to, "%s];\n", starts_in(s, i) ? ", penwidth=2" : "");
        pepa_text_free(text);
        for (int64_t k = t->row[i]; k < t->row[i + 1]; k++) {
            Text label = {0};
            text_add(&label, "(%s, %.6g)",
                     pepa_chain_action_name(s->chain, pepa_transition_action(t, k)),
                     pepa_transition_rate(t, k));
            (void)fprintf(to, "  %d -> %d [label=", i + 1, t->target[k] + 1);
            json_string(to, label.failed ? "" : label.text);
            (void)fputs("];\n", to);
            text_free(&label);
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

/* What a format can show. */
enum { SHOWS_LABELS = 1, SHOWS_ACTIONS = 2, SHOWS_REWARDS = 4 };
typedef struct {
    const char *name;
    Writer *write; /* NULL: the first three together */
    unsigned shows;
} Format;
static const Format formats[] = {
    {"tra", write_tra, SHOWS_ACTIONS},
    {"sta", write_sta, 0},
    {"lab", write_lab, SHOWS_LABELS},
    {"drn", write_drn, SHOWS_LABELS | SHOWS_REWARDS},
    {"mtx", write_mtx, 0},
    {"dot", write_dot, 0},
    {"csv", write_csv, 0},
    {"pepa", write_pepa, 0},
    {"prism", NULL, SHOWS_LABELS | SHOWS_ACTIONS},
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

/* Names begin with the given one. */
static int check_name(const char *output)
{
    const size_t length = strlen(output);
    return length > 0 && output[length - 1] != '/'
               ? EXIT_SOLVED
               : fail(EXIT_USAGE,
                      "pepa export: --output '%s' gives no name for three files: write "
                      "%sNAME",
                      output, output);
}

static int write_format(const Session *s, const Format *format)
{
    if (!format->write) {
        const int named = check_name(s->options->output);
        return named == EXIT_SOLVED ? write_files(s, formats, PRISM_FILES) : named;
    }
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
                    "pepa export: %s%s; --format is one of prism tra sta lab drn mtx dot csv pepa",
                    name ? "unknown format " : "which format", name ? name : "");
    if (!format->write && !options->output)
        return fail(EXIT_USAGE, "pepa export: prism writes three files: give --output NAME for "
                                "NAME.tra, NAME.sta and NAME.lab");
    if (options->label_count && !(format->shows & SHOWS_LABELS))
        return fail(EXIT_USAGE, "pepa export: --label is there for the formats prism, lab and drn");
    if (options->actions && !(format->shows & SHOWS_ACTIONS))
        return fail(EXIT_USAGE, "pepa export: --actions is there for the formats prism and tra");
    if (options->asked_count && !(format->shows & SHOWS_REWARDS))
        return fail(EXIT_USAGE, "pepa export: measures become rewards in the format drn only");
    Session s;
    int status =
        format->write == write_pepa ? session_read(&s, options) : session_derive(&s, options);
    if (status == EXIT_SOLVED)
        status = labels_find(&s);
    if (status == EXIT_SOLVED && format->write != write_pepa)
        status = starts_find(&s);
    if (status == EXIT_SOLVED && format->write != write_mtx) /* which says it */
        starts_warn(&s);
    if (status == EXIT_SOLVED)
        status = write_format(&s, format);
    session_free(&s);
    return status;
}
