/* gumrun: starts the processes of a GUM program, waits for them, and ends as they do.
 *
 * Options become environment variables, which libgum reads on process 0. */
#include <amoget_machine.h>
#include <stddef.h>
#include <string.h>

#include "grid/gum/policy/policy.h"
#include "grid/start/start.h"

const char program[] = "gumrun";

typedef struct {
    StartOptions start;
    const char *value[5]; /* of the variables below; or NULL */
    bool summary;
} Options;

enum { OPT_POLICY = START_OWN, OPT_LIMIT, OPT_WATERMARK, OPT_PROFILE, OPT_ACTIVITY };
static const char *const variable_of[] = {"GUM_POLICY", "GUM_THREADS", "GUM_WATERMARK",
                                          "GUM_PROFILE", "GUM_ACTIVITY"};

static const OptionRow own_rows[] =
    {{OPT_POLICY, 0, 1, "policy", "POLICY",
      "whom to ask for work: random, nearest-loaded, busiest, predicted",
      "random, nearest-loaded, busiest or predicted"},
     {OPT_LIMIT, 0, 1, "threads", "N", "limit of live threads of a process",
      "a whole number from 1"},
     {OPT_WATERMARK, 0, 1, "watermark", "N",
      "sparks below which a process asks for more while it works", "a whole number from 0"},
     {OPT_PROFILE, 0, 1, "profile", "FILE", "write what the run did, for `gum predict`",
      "the name of a file"},
     {OPT_ACTIVITY, 0, 1, "activity", "FILE",
      "write what each process did over time, for `gum activity`", "the name of a file"},
     {OPT_FLAG, offsetof(Options, summary), 1, "summary", NULL,
      "print on standard error what each process did", NULL}};

static bool suits(int code, const char *value)
{
    switch (code) {
    case OPT_POLICY:
        return policy_find(value) != POLICY_UNKNOWN;
    case OPT_LIMIT:
        return start_count(value, 1) >= 0;
    case OPT_WATERMARK:
        return start_count(value, 0) >= 0;
    default:
        return *value != '\0';
    }
}

static bool set(void *options, int code, char *value)
{
    ((Options *)options)->value[code - START_OWN] = value;
    return suits(code, value);
}

/* The speeds of the hosts in use, as the description has them. */
static int set_speeds(const Hosts *hosts)
{
    Text text = {0};
    for (char **name = hosts->name; *name; name++)
        for (int32_t p = 0; p < amoget_processor_count(hosts->machine); p++)
            if (strcmp(amoget_processor_address(hosts->machine, p), *name) == 0) {
                char speed[NUMBER_SIZE];
                number_write(1 / amoget_time(hosts->machine, p), speed);
                text_add(&text, "%s=%s;", *name, speed);
            }
    int status = text.text ? start_set("GUM_SPEEDS", text.text) : out_of_memory();
    text_free(&text);
    return status;
}

static int set_variables(const StartOptions *start, const Hosts *hosts)
{
    const Options *o = (const Options *)start;
    const char *profile = o->value[OPT_PROFILE - START_OWN],
               *activity = o->value[OPT_ACTIVITY - START_OWN];
    if (profile && activity && strcmp(profile, activity) == 0)
        return fail(EXIT_USAGE, "gumrun: --profile and --activity name the same file");
    int status = o->summary ? start_set("GUM_SUMMARY", "1") : EXIT_SOLVED;
    for (size_t i = 0; i < sizeof variable_of / sizeof *variable_of && status == EXIT_SOLVED; i++)
        if (o->value[i])
            status = start_set(variable_of[i], o->value[i]);
    return status == EXIT_SOLVED && hosts->machine ? set_speeds(hosts) : status;
}

int main(int argc, char **argv)
{
    static const char *const variables[] =
        {"GUM_POLICY",  "GUM_THREADS",   "GUM_WATERMARK", "GUM_PROFILE",
         "GUM_SUMMARY", "GUM_AGE_LIMIT", "GUM_PATIENCE",  "GUM_WEAK_CLUSTER",
         "GUM_SPARKS",  "GUM_STACK",     "GUM_ACTIVITY",  "GUM_SPEEDS",
         NULL};
    const Starter its = {.name = program,
                         .kind = "GUM",
                         .compiler = "gumcc",
                         .row = own_rows,
                         .rows = sizeof own_rows / sizeof *own_rows,
                         .set = set,
                         .settle = set_variables,
                         .variables = variables};
    Options options = {.start = {.its = &its}};
    return start_program(&options.start, argc, argv);
}
