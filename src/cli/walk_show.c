/* Shows where a walk is: the state by components, and the enabled steps with what they change. */
#include <stdlib.h>
#include <string.h>

#include "analyses.h"

/* How many are in each local state of each position. */
static int counts_of(const Session *s, const PepaWalk *walk, int32_t step, int32_t *counts)
{
    PepaError err;
    PepaStatus status = pepa_walk_counts(walk, step, counts, &err);
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* "2 Client + ClientWaits": local states with how many more `to` has than `from`, if it has. */
static void add_sum(Text *out, const PepaWalk *walk, const PepaPosition *position,
                    const int32_t *from, const int32_t *to)
{
    const char *between = "";
    for (int32_t l = 0; l < position->local_count; l++) {
        const int32_t count = to[l] - (from ? from[l] : 0);
        if (count <= 0)
            continue;
        text_add(out, "%s", between);
        if (count > 1)
            text_add(out, "%d ", count);
        text_add(out, "%s", pepa_walk_local_name(walk, position->local[l]));
        between = " + ";
    }
}

/* "Client -> ClientWaits, Server -> Busy": what is different between two states. */
static void add_changes(Text *out, const PepaWalk *walk, const int32_t *from, const int32_t *to)
{
    const int32_t positions = pepa_walk_info(walk).positions;
    const size_t before = out->length;
    for (int32_t p = 0; p < positions; p++) {
        const PepaPosition position = pepa_walk_position(walk, p);
        const size_t size = (size_t)position.local_count;
        if (memcmp(from, to, size * sizeof *from) != 0) {
            text_add(out, "%s", out->length > before ? ", " : "");
            if (positions > 1)
                text_add(out, "%d: ", p + 1);
            add_sum(out, walk, &position, to, from);
            text_add(out, " -> ");
            add_sum(out, walk, &position, from, to);
        }
        from += size;
        to += size;
    }
    if (out->length == before)
        text_add(out, "no change");
}

/* "Client[3]": a component, and how many copies of it. */
static int component_text(const PepaPosition *position, char *text, size_t size)
{
    if (position->copies > 1)
        return snprintf(text, size, "%s[%d]", position->component, position->copies);
    return snprintf(text, size, "%s", position->component);
}

enum { COLUMN = 30, NAME_SIZE = 200 }; /* characters: of names that are aligned, of any name */

static void add_state(Text *out, const PepaWalk *walk, const int32_t *counts)
{
    const int32_t positions = pepa_walk_info(walk).positions;
    char name[NAME_SIZE];
    int width = 0;
    for (int32_t p = 0; p < positions; p++) {
        const PepaPosition position = pepa_walk_position(walk, p);
        const int length = component_text(&position, name, sizeof name);
        width = length > width && length <= COLUMN ? length : width;
    }
    for (int32_t p = 0; p < positions; p++) {
        const PepaPosition position = pepa_walk_position(walk, p);
        (void)component_text(&position, name, sizeof name);
        text_add(out, "  %3d  %-*s  ", p + 1, width, name);
        add_sum(out, walk, &position, NULL, counts);
        text_add(out, "\n");
        counts += position.local_count;
    }
}

static int add_steps(Text *out, const Session *s, const PepaWalk *walk, const int32_t *now,
                     int32_t *then)
{
    const PepaWalkInfo info = pepa_walk_info(walk);
    int width = 0;
    for (int32_t i = 0; i < info.enabled; i++) {
        const int length = (int)strlen(pepa_walk_step(walk, i).action);
        width = length > width && length <= COLUMN ? length : width;
    }
    for (int32_t i = 0; i < info.enabled; i++) {
        const PepaWalkStep step = pepa_walk_step(walk, i);
        int status = counts_of(s, walk, i, then);
        if (status != EXIT_SOLVED)
            return status;
        char rate[NUMBER_SIZE] = "immediate";
        if (!step.immediate)
            (void)snprintf(rate, sizeof rate, "%.6g", step.rate);
        text_add(out, "  %3d  %-*s  %-12s %-10.4g ", i + 1, width, step.action, rate,
                 step.probability);
        add_changes(out, walk, now, then);
        text_add(out, "\n");
    }
    return EXIT_SOLVED;
}

int show_walk(const Session *s, const PepaWalk *walk)
{
    const PepaWalkInfo info = pepa_walk_info(walk);
    int32_t *counts = calloc(2 * (size_t)info.counts + 1, sizeof *counts);
    char number[NUMBER_SIZE];
    Text out = {0};
    int status = counts ? counts_of(s, walk, -1, counts) : out_of_memory();
    if (status == EXIT_SOLVED) {
        (void)number_grouped(info.length, number);
        if (info.length == 0)
            text_add(&out, "at the start:\n");
        else
            text_add(&out, "after %s step%s:\n", number, info.length == 1 ? "" : "s");
        add_state(&out, walk, counts);
        text_add(&out, info.enabled ? "enabled, with rate and probability:\n"
                                    : "deadlock: nothing is enabled\n");
        status = add_steps(&out, s, walk, counts, counts + info.counts);
    }
    if (status == EXIT_SOLVED && out.failed)
        status = out_of_memory();
    if (status == EXIT_SOLVED)
        (void)printf("%s\n", out.text);
    text_free(&out);
    free(counts);
    return status;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static int json_text(const Session *s, const PepaWalk *walk, int32_t step, FILE *to)
{
    PepaError err;
    char *text;
    PepaStatus status = pepa_walk_text(walk, step, &text, &err);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    (void)fputs("\"state\": ", to);
    json_string(to, text);
    pepa_text_free(text);
    return EXIT_SOLVED;
}

static void json_components(const PepaWalk *walk, const int32_t *counts, FILE *to)
{
    const PepaWalkInfo info = pepa_walk_info(walk);
    (void)fputs(", \"components\": [", to);
    for (int32_t p = 0; p < info.positions; p++) {
        const PepaPosition position = pepa_walk_position(walk, p);
        (void)fprintf(to, "%s{ \"component\": ", p ? ", " : "");
        json_string(to, position.component);
        (void)fprintf(to, ", \"position\": %d, \"copies\": %d, \"local\": {", p + 1,
                      position.copies);
        const char *between = " ";
        for (int32_t l = 0; l < position.local_count; l++, counts++) {
            if (*counts == 0)
                continue;
            (void)fputs(between, to);
            json_string(to, pepa_walk_local_name(walk, position.local[l]));
            (void)fprintf(to, ": %d", *counts);
            between = ", ";
        }
        (void)fputs(" } }", to);
    }
    (void)fputs("]", to);
}

static int json_steps(const Session *s, const PepaWalk *walk, FILE *to)
{
    const PepaWalkInfo info = pepa_walk_info(walk);
    int status = EXIT_SOLVED;
    (void)fputs(", \"enabled\": [", to);
    for (int32_t i = 0; i < info.enabled && status == EXIT_SOLVED; i++) {
        const PepaWalkStep step = pepa_walk_step(walk, i);
        (void)fprintf(to, "%s{ \"number\": %d, \"action\": ", i ? ", " : "", i + 1);
        json_string(to, step.action);
        if (step.immediate)
            (void)fputs(", \"rate\": null", to);
        else
            (void)fprintf(to, ", \"rate\": " FULL, step.rate);
        (void)fprintf(to, ", \"probability\": " FULL ", ", step.probability);
        status = json_text(s, walk, i, to);
        (void)fputs(" }", to);
    }
    (void)fputs("] }\n", to);
    return status;
}

int show_walk_json(const Session *s, const PepaWalk *walk, const Ran *ran)
{
    static const char *const ends[] =
        {[PEPA_RUN_FOUND] = "found", [PEPA_RUN_DEADLOCK] = "deadlock", [PEPA_RUN_MOST] = "most"};
    const PepaWalkInfo info = pepa_walk_info(walk);
    int32_t *counts = calloc((size_t)info.counts + 1, sizeof *counts);
    int status = counts ? counts_of(s, walk, -1, counts) : out_of_memory();
    if (status == EXIT_SOLVED) {
        (void)printf("{ \"step\": %lld, ", (long long)info.length);
        if (ran)
            (void)printf("\"run\": { \"steps\": %lld, \"end\": \"%s\" }, ", (long long)ran->taken,
                         ends[ran->end]);
        status = json_text(s, walk, -1, stdout);
    }
    if (status == EXIT_SOLVED) {
        (void)printf(", \"deadlock\": %s, \"exit\": " FULL, info.enabled ? "false" : "true",
                     info.exit);
        json_components(walk, counts, stdout);
        status = json_steps(s, walk, stdout);
    }
    free(counts);
    return status;
}
