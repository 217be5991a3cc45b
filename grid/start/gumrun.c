/* gumrun: starts the processes of a GUM program, waits for them, and ends as they do.
 *
 * Options become environment variables, which libgum reads on process 0. */
#include <amoget_machine.h>
#include <string.h>

#include "grid/gum/policy/policy.h"
#include "grid/start/start.h"
#include "tool.h"

const char program[] = "gumrun";

static const char options[] =
    "  --policy POLICY      whom processes without work ask: random, nearest-loaded, busiest,\n"
    "                       predicted\n"
    "  --threads N          limit of live threads of a process\n"
    "  --watermark N        sparks below which a process asks for more while it works\n"
    "  --profile FILE       write what the run did, for `gum predict`\n"
    "  --activity FILE      write what each process did over time, for `gum activity`\n"
    "  --summary            print on standard error what each process did\n";

static int policy(const char *value)
{
    if (value && policy_find(value) != POLICY_UNKNOWN)
        return start_set("GUM_POLICY", value);
    return fail(EXIT_USAGE,
                "gumrun: --policy takes random, nearest-loaded, busiest or predicted, not '%s'",
                value ? value : "");
}

static int set_number(const char *word, const char *name, const char *value, int32_t least)
{
    if (start_count(value, least) >= 0)
        return start_set(name, value);
    return fail(EXIT_USAGE, "gumrun: %s takes a whole number from %d, not '%s'", word, (int)least,
                value ? value : "");
}

static int text(const char *word, const char *name, const char *value)
{
    return value && *value ? start_set(name, value)
                           : fail(EXIT_USAGE, "gumrun: %s takes the name of a file", word);
}

static int option(const char *word, const char *value, int *takes)
{
    if (strcmp(word, "--summary") == 0) {
        *takes = 0;
        return start_set("GUM_SUMMARY", "1");
    }
    if (strcmp(word, "--policy") == 0)
        return policy(value);
    if (strcmp(word, "--threads") == 0)
        return set_number(word, "GUM_THREADS", value, 1);
    if (strcmp(word, "--watermark") == 0)
        return set_number(word, "GUM_WATERMARK", value, 0);
    if (strcmp(word, "--profile") == 0)
        return text(word, "GUM_PROFILE", value);
    if (strcmp(word, "--activity") == 0)
        return text(word, "GUM_ACTIVITY", value);
    return NO_OPTION;
}

/* The speeds of the hosts in use, as the description has them. */
static int set_speeds(const Hosts *hosts)
{
    Text text = {0};
    for (char **name = hosts->name; *name; name++)
        for (int32_t p = 0; p < amoget_processor_count(hosts->machine); p++)
            if (strcmp(amoget_processor_name(hosts->machine, p), *name) == 0) {
                char speed[NUMBER_SIZE];
                number_write(1 / amoget_time(hosts->machine, p), speed);
                text_add(&text, "%s=%s;", *name, speed);
            }
    int status = text.text ? start_set("GUM_SPEEDS", text.text) : out_of_memory();
    text_free(&text);
    return status;
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
                         .options = options,
                         .option = option,
                         .settle = set_speeds,
                         .variables = variables};
    (void)argc;
    return start_program(&its, argv);
}
