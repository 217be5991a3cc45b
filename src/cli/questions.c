/* What a command is asked: measures, predicates, formulas, times. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

#include <pepa_fluid.h>
#include <pepa_passage.h>
#include <pepa_shared.h>
#include <pepa_structure.h>

/* What was asked for has errors, which have been printed with their places. */
static int bad_question(const Session *s, PepaStatus status, const PepaError *err)
{
    return status == PEPA_EARG ? EXIT_USAGE : complain(s, status, err);
}

static int read_measures(Session *s, const Asked *asked)
{
    PepaError err = {0};
    Text text = {0};
    const char *name = asked->file ? asked->text : "--measure";
    if (asked->file) {
        FILE *from = fopen(asked->text, "rb");
        if (from)
            text_read(&text, from, TEXT_MOST);
        if (!from || ferror(from) || text.failed) {
            int failed = text.failed ? out_of_memory()
                                     : fail(EXIT_INPUT, "pepa: cannot read %s: %s", asked->text,
                                            strerror(errno));
            text_free(&text);
            if (from)
                (void)fclose(from);
            return failed;
        }
        (void)fclose(from);
    } else {
        text_add(&text, "%s", asked->text);
    }
    const int32_t before = pepa_measures_count(s->measures);
    PepaStatus status = text.failed ? PEPA_ENOMEM
                                    : pepa_measures_add(s->measures, name, text.text, text.length,
                                                        session_diagnose, s, &err);
    text_free(&text);
    if (status == PEPA_OK && !asked->file && pepa_measures_count(s->measures) == before)
        return fail(EXIT_USAGE, "pepa: --measure '%s' is no measure", asked->text);
    return status == PEPA_OK ? EXIT_SOLVED : bad_question(s, status, &err);
}

/* An action in place of a condition on states: where it is told what to write, the passage would be another one. */
static void advise_action(const Session *s, const char *option, const char *text)
{
    for (int32_t a = 0; a < pepa_model_action_count(s->model); a++)
        if (strcmp(pepa_model_action_name(s->model, a), text) == 0)
            (void)fail(EXIT_USAGE, "%s: for the moments at which `%s` happens: %s-action %s",
                       s->options->command->called, text, option, text);
}

int session_questions(Session *s)
{
    const Options *o = s->options;
    PepaError err = {0};
    PepaStatus status = PEPA_OK;
    int read = EXIT_SOLVED;
    if (o->asked_count || o->of)
        status = pepa_measures_new(&s->measures, s->model, &err);
    if (status == PEPA_OK && o->of)
        status =
            pepa_measures_add(s->measures, "--of", o->of, strlen(o->of), session_diagnose, s, &err);
    const struct {
        const char *option, *text;
        PepaPredicate **out;
    } predicates[] = {{"--where", o->where, &s->where},
                      {"--from", o->from, &s->from},
                      {"--to", o->to, &s->to}};
    for (size_t i = 0; i < 3 && status == PEPA_OK; i++) {
        const char *text = predicates[i].text;
        if (text)
            status = pepa_predicate_new(predicates[i].out, s->model, predicates[i].option, text,
                                        strlen(text), session_diagnose, s, &err);
        if (status != PEPA_OK && i > 0)
            advise_action(s, predicates[i].option, text);
    }
    if (status == PEPA_OK && o->csl)
        status = pepa_formula_new(&s->formula, s->model, "--csl", o->csl, strlen(o->csl),
                                  session_diagnose, s, &err);
    if (status != PEPA_OK)
        return bad_question(s, status, &err);
    read = session_labels(s);
    for (size_t i = 0; i < o->asked_count && read == EXIT_SOLVED; i++)
        read = read_measures(s, &o->asked[i]);
    return read;
}

void session_warn_no_value(Session *s, int32_t measure, size_t count, const char *place,
                           bool unrated)
{
    Text message = {0};
    text_add(&message, "measure `%s` has no value", pepa_measures_name(s->measures, measure));
    if (*place)
        text_add(&message, " at %zu %s%s", count, place, count == 1 ? "" : "s");
    text_add(&message, ": a division by 0, %s",
             unrated ? "a number too large, or a rate of activities that have none at a time"
                     : "or a number too large");
    session_warn(s, message.text && !message.failed ? message.text : "");
    text_free(&message);
}

void session_warn_missing(Session *s)
{
    for (int32_t i = 0; i < pepa_measures_count(s->measures); i++)
        if (isnan(s->measured[i]))
            session_warn_no_value(s, i, 1, "", false);
}

/* The passages of a probe, by the states that it is in. */
static PepaStatus probe_passages(Session *s, const PepaProbe *probe, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    if (!s->options->from_start)
        status = pepa_predicate_new(&s->from, s->model, "--probe", probe->running,
                                    strlen(probe->running), NULL, NULL, err);
    if (status == PEPA_OK)
        status = pepa_predicate_new(&s->to, s->model, "--probe", probe->stopped,
                                    strlen(probe->stopped), NULL, NULL, err);
    return status;
}

/* In place of the model that of the probe's component, in the mean field. */
static int session_individual(Session *s)
{
    PepaSettings set = s->options->set; /* it is quick: no progress */
    const char *probe = s->options->probe + strspn(s->options->probe, " \t");
    const size_t length = strcspn(probe, " \t:(");
    PepaError err = {0};
    PepaModel *one = NULL;
    char *name = strndup(probe, length);
    if (!name)
        return out_of_memory();
    set.derive.diagnose = session_diagnose;
    set.user = s;
    const PepaStatus status = pepa_fluid_individual(&one, s->model, name, &set, &err);
    free(name);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    pepa_model_free(s->model);
    s->model = one;
    return EXIT_SOLVED;
}

int session_probe(Session *s)
{
    const Options *o = s->options;
    PepaError err = {0};
    PepaModel *probed = NULL;
    PepaProbe probe = {0};
    if (!o->probe)
        return EXIT_SOLVED;
    const int alone = o->field ? session_individual(s) : EXIT_SOLVED;
    if (alone != EXIT_SOLVED)
        return alone;
    PepaStatus status = pepa_model_probe(&probed, s->model, "--probe", o->probe, strlen(o->probe),
                                         o->from_start, session_diagnose, s, &probe, &err);
    if (status != PEPA_OK)
        return bad_question(s, status, &err);
    pepa_model_free(s->model);
    s->model = probed;
    status = probe_passages(s, &probe, &err);
    pepa_text_free(probe.running);
    pepa_text_free(probe.stopped);
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

int session_measure(Session *s)
{
    PepaError err = {0};
    const int32_t count = s->measures ? pepa_measures_count(s->measures) : 0;
    s->measured = calloc((size_t)count + 1, sizeof *s->measured);
    if (!s->measured)
        return out_of_memory();
    PepaStatus status = count == 0 ? PEPA_OK
                        : s->shared
                            ? pepa_shared_values(s->shared, s->measures, s->measured, &err)
                            : pepa_measures_values(s->measures, s->chain, s->pi, s->measured, &err);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    if (count)
        session_warn_missing(s);
    return EXIT_SOLVED;
}

/* A name as a measure has it: in quotes unless it is an identifier. */
static void add_name(Text *text, const char *name)
{
    bool plain = isalpha((unsigned char)*name) != 0;
    for (const char *p = name; *p; p++)
        plain = plain && (isalnum((unsigned char)*p) || *p == '_' || *p == '\'');
    text_add(text, plain ? "%s\n" : "\"%s\"\n", name);
}

/* The measures of the lines that a command has written itself. */
static int take_measures(Session *s, Text *lines)
{
    PepaError err = {0};
    PepaStatus status =
        lines->failed ? PEPA_ENOMEM : pepa_measures_new(&s->measures, s->model, &err);
    if (status == PEPA_OK)
        status = pepa_measures_add(s->measures, "measures", lines->text ? lines->text : "",
                                   lines->length, NULL, NULL, &err);
    if (lines->failed)
        (void)snprintf(err.message, sizeof err.message, "%s", pepa_status_text(PEPA_ENOMEM));
    text_free(lines);
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

int session_default_measures(Session *s)
{
    Text text = {0};
    if (s->measures)
        return EXIT_SOLVED;
    for (int32_t a = 0; a < s->info.actions; a++) {
        text_add(&text, "throughput:");
        add_name(&text, pepa_chain_action_name(s->chain, a));
    }
    for (int32_t l = 0; l < s->info.local_states; l++) {
        text_add(&text, "population:");
        add_name(&text, pepa_chain_local_name(s->chain, l));
    }
    return take_measures(s, &text);
}

/* Whether some activity is called tau, or hidden. */
static bool has_tau(const PepaStructure *structure, const PepaStructureInfo *info)
{
    bool found = false;
    for (int32_t i = 0; i < info->nodes; i++)
        found = found || pepa_structure_node(structure, i).kind == PEPA_NODE_HIDING;
    for (int32_t i = 0; i < info->activities; i++)
        found = found || pepa_structure_activity(structure, i).action == 0;
    return found;
}

/* Local states that some component can be in, as 1; rates count others as well.
 *   stack  scratch, nodes + activities of the structure */
static void mark_possible(const PepaStructure *structure, char *possible, int32_t *stack)
{
    int32_t top = 0;
    for (int32_t i = 0; i < pepa_structure_info(structure).nodes; i++) {
        const PepaNode node = pepa_structure_node(structure, i);
        if (node.kind == PEPA_NODE_COMPONENT)
            stack[top++] = node.local;
    }
    while (top > 0) {
        const int32_t local = stack[--top];
        if (possible[local])
            continue;
        possible[local] = 1;
        const PepaLocal its = pepa_structure_local(structure, local);
        for (int32_t i = its.first; i < its.first + its.count; i++)
            stack[top++] = pepa_structure_activity(structure, i).target;
    }
}

/* Phases count with the state of which they are. */
static void add_populations(const PepaStructure *structure, Text *text)
{
    const PepaStructureInfo info = pepa_structure_info(structure);
    char *possible = calloc((size_t)info.local_states + 1, sizeof *possible);
    int32_t *stack = calloc((size_t)info.nodes + (size_t)info.activities + 1, sizeof *stack);
    if (possible && stack)
        mark_possible(structure, possible, stack);
    else
        text->failed = true;
    for (int32_t l = 0; l < info.local_states && !text->failed; l++)
        if (possible[l] && pepa_structure_local(structure, l).whole == l) {
            text_add(text, "population:");
            add_name(text, pepa_structure_local(structure, l).name);
        }
    free(possible);
    free(stack);
}

int session_model_measures(Session *s)
{
    PepaError err = {0};
    PepaStructure *structure = NULL;
    Text text = {0};
    if (s->measures)
        return EXIT_SOLVED;
    PepaStatus status = pepa_structure_new(&structure, s->model, &err);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    const PepaStructureInfo info = pepa_structure_info(structure);
    for (int32_t a = has_tau(structure, &info) ? 0 : 1; a < info.actions; a++) {
        text_add(&text, "throughput:");
        add_name(&text, pepa_structure_action_name(structure, a));
    }
    add_populations(structure, &text);
    pepa_structure_free(structure);
    return take_measures(s, &text);
}

int read_list(const char *text, double least, double below, double **list, size_t *count)
{
    char *copy = strdup(text), *rest = NULL;
    *count = 0;
    *list = calloc(strlen(text) + 1, sizeof **list);
    bool ok = copy && *list && *text && *text != ',' && !strstr(text, ",,") &&
              text[strlen(text) - 1] != ',';
    for (char *each = ok ? strtok_r(copy, ",", &rest) : NULL; each && ok;
         each = strtok_r(NULL, ",", &rest)) {
        double x;
        ok = number(each, &x) && x >= least && x < below &&
             (*count == 0 || x >= (*list)[*count - 1]);
        (*list)[(*count)++] = x;
    }
    free(copy);
    return ok && *count ? GO_ON : EXIT_USAGE;
}

int session_times(const Session *s, double **time, size_t *count)
{
    const Options *o = s->options;
    const char *called = o->command->called;
    const int64_t points = o->points ? o->points : 100, most = 10000000;
    *count = 0;
    if (o->at && o->until > 0)
        return fail(EXIT_USAGE, "%s: give --at or --until, not both", called);
    if (o->points && !(o->until > 0))
        return fail(EXIT_USAGE, "%s: --points is a number of steps to --until T: give both, or %s",
                    called,
                    o->at       ? "--at alone"
                    : o->steady ? "--steady alone"
                                : "neither");
    if (points > most)
        return fail(EXIT_USAGE, "%s: at most %lld points", called, (long long)most);
    if (o->at && read_list(o->at, 0, HUGE_VAL, time, count) != GO_ON)
        return fail(EXIT_USAGE, "%s: --at takes ascending times from 0 on, as 0,0.5,10; not '%s'",
                    called, o->at);
    if (o->at || !(o->until > 0))
        return EXIT_SOLVED;
    *time = calloc((size_t)points + 1, sizeof **time);
    if (!*time)
        return out_of_memory();
    for (int64_t i = 0; i <= points; i++)
        (*time)[(*count)++] = o->until * ((double)i / (double)points);
    return EXIT_SOLVED;
}
