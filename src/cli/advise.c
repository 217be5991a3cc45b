/* What to do when a chain is too large: copies that are written out are found, other analyses tried. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

#include <pepa_fluid.h>
#include <pepa_simulate.h>
#include <pepa_structure.h>

/* ---- copies --------------------------------------------------------------------------------- */

static bool same_actions(const PepaNode *a, const PepaNode *b)
{
    return a->kind == PEPA_NODE_COOPERATION && b->kind == PEPA_NODE_COOPERATION &&
           a->action_count == b->action_count &&
           memcmp(a->action, b->action, (size_t)a->action_count * sizeof *a->action) == 0;
}

/* Operands of cooperations on the same actions may be put together in any way: of those from `node` on, each component
 * alone adds `one` to count[local].  Returns the local state with most.  stack: scratch, one per node. */
static int32_t count_operands(const PepaStructure *m, int32_t node, int one, int32_t *stack,
                              int64_t *count)
{
    const PepaNode top = pepa_structure_node(m, node);
    int32_t height = 0, most = 0;
    stack[height++] = node;
    while (height > 0) {
        const PepaNode now = pepa_structure_node(m, stack[--height]);
        if (now.kind == PEPA_NODE_COMPONENT) {
            count[now.local] += one;
            most = count[now.local] > count[most] ? now.local : most;
        }
        if (!same_actions(&top, &now))
            continue;
        stack[height++] = now.left;
        stack[height++] = now.right;
    }
    return most;
}

/* P || P || ... has a state for each way that copies can be in; P[n] counts them. */
static void say_copies(const PepaStructure *m, const PepaNode *top, const char *name, int64_t count)
{
    (void)fprintf(stderr, "pepa: `%s` stands %lld times side by side: `%s[%lld", name,
                  (long long)count, name, (long long)count);
    for (int32_t k = 0; k < top->action_count; k++)
        (void)fprintf(stderr, "%s%s", k > 0 ? ", " : ", {",
                      pepa_structure_action_name(m, top->action[k]));
    (void)fprintf(stderr, "%s]` means the same and has fewer states\n",
                  top->action_count > 0 ? "}" : "");
}

void advise_copies(const Session *s)
{
    PepaStructure *m = NULL;
    PepaError err;
    if (s->options->quiet || pepa_structure_new(&m, s->model, &err) != PEPA_OK)
        return;
    const PepaStructureInfo info = pepa_structure_info(m);
    const size_t nodes = (size_t)info.nodes;
    int said = 0;
    int32_t *stack = calloc(nodes + 1, sizeof *stack);
    int64_t *count = calloc((size_t)info.local_states + 1, sizeof *count);
    bool *below = calloc(nodes + 1, sizeof *below); /* of a cooperation on the same actions */
    const bool made = stack && count && below;
    for (int32_t n = 0; n < info.nodes && made; n++) {
        const PepaNode node = pepa_structure_node(m, n);
        if (node.kind != PEPA_NODE_COOPERATION)
            continue;
        const PepaNode left = pepa_structure_node(m, node.left),
                       right = pepa_structure_node(m, node.right);
        below[node.left] = same_actions(&node, &left);
        below[node.right] = same_actions(&node, &right);
    }
    for (int32_t n = 0; n < info.nodes && made && said < 3; n++) {
        const PepaNode node = pepa_structure_node(m, n);
        if (node.kind != PEPA_NODE_COOPERATION || below[n])
            continue;
        const int32_t most = count_operands(m, n, 1, stack, count);
        if (count[most] > 1) {
            say_copies(m, &node, pepa_structure_local(m, most).name, count[most]);
            said++;
        }
        (void)count_operands(m, n, -1, stack, count);
    }
    free(stack);
    free(count);
    free(below);
    pepa_structure_free(m);
}

/* ---- other analyses ------------------------------------------------------------------------- */

/* "--steady", or the times that were asked for. */
static void add_when(Text *line, const Options *o)
{
    if (o->at)
        text_add(line, "--at %s", o->at);
    else if (o->until > 0)
        text_add(line, "--until %g", o->until);
    else
        text_add(line, "--steady");
}

static PepaSettings quiet(Session *s)
{
    PepaSettings set = session_settings(s);
    set.derive.diagnose = NULL;
    set.progress = NULL;
    return set;
}

/* One digit of it. */
enum { TIME_SIZE = 32 };
static const char *took(double seconds, char text[TIME_SIZE])
{
    if (seconds < 1)
        (void)snprintf(text, TIME_SIZE, "%s", seconds < 1e-3 ? "1 ms" : "1 s");
    else if (seconds < 100)
        (void)snprintf(text, TIME_SIZE, "%.0f s", seconds);
    else
        (void)snprintf(text, TIME_SIZE, "%.0f minutes", seconds / 60);
    return text;
}

static void say(const Session *s, const char *command, const char *options, const char *about)
{
    Text line = {0};
    text_add(&line, "pepa %s %s ", command, model_name(s->options));
    for (size_t i = 0; i < s->define_count; i++)
        text_add(&line, "-D %s=%.15g ", s->defines[i].rate, s->defines[i].value);
    add_when(&line, s->options);
    text_add(&line, "%s", options);
    if (!line.failed)
        (void)fprintf(stderr, "  %s: %s\n", line.text, about);
    text_free(&line);
}

static bool advise_fluid(Session *s, const double *time, size_t count)
{
    PepaError err;
    PepaFluidInfo info;
    const PepaSettings set = quiet(s);
    const PepaFluid at = {.time = time, .count = count, .steady = !count};
    double *value =
        calloc((count + 1) * (size_t)pepa_measures_count(s->measures) + 1, sizeof *value);
    const bool ok = value && pepa_fluid_measures(s->model, s->measures, &at, &set, value, &info,
                                                 &err) == PEPA_OK;
    char about[160], time_text[TIME_SIZE];
    free(value);
    if (!ok)
        return false;
    (void)snprintf(about, sizeof about, "%s, approximate%s", took(info.seconds, time_text),
                   info.single ? ", since some components have no copies"
                               : ", the better the more copies");
    say(s, "fluid", " --moments", about);
    return true;
}

/* In the long run as it would be made; at times with fewer runs, whose cost is in proportion. */
static bool advise_simulation(Session *s, const double *time, size_t count)
{
    static const int64_t runs = 32, usual_runs = 1000, most_events = 20000000;
    PepaError err;
    PepaSimulationInfo info;
    const PepaSettings set = quiet(s);
    const PepaSimulation how = {.time = time,
                                .count = count,
                                .steady = !count,
                                .runs = count ? runs : 0,
                                .seed = 1,
                                .events = most_events};
    PepaEstimate *x = calloc((count + 1) * (size_t)pepa_measures_count(s->measures) + 1, sizeof *x);
    const double start = clock_seconds();
    const PepaStatus status =
        x ? pepa_simulate_measures(s->model, s->measures, &how, &set, x, &info, &err) : PEPA_ENOMEM;
    const double seconds =
        (clock_seconds() - start) * (count ? (double)usual_runs / (double)runs : 1);
    char about[160], time_text[TIME_SIZE];
    free(x);
    if (status != PEPA_OK && status != PEPA_ELIMIT)
        return false;
    (void)snprintf(about, sizeof about, "%s%s, with confidence intervals",
                   status == PEPA_OK ? "" : "more than ", took(seconds, time_text));
    say(s, "simulate", "", about);
    return true;
}

void advise(Session *s)
{
    double *time = NULL;
    size_t count = 0;
    if (s->options->quiet || session_times(s, &time, &count) != EXIT_SOLVED ||
        session_model_measures(s) != EXIT_SOLVED) {
        free(time);
        return;
    }
    (void)fprintf(stderr, "pepa: what answers without a chain:\n");
    const bool fluid = advise_fluid(s, time, count), simulated = advise_simulation(s, time, count);
    if (!fluid && !simulated)
        (void)fprintf(stderr, "  nothing: neither simulation nor differential equations take it\n");
    free(time);
}
