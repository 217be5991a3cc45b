/* pepa: performance models in PEPA from the command line. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

const char program[] = "pepa";

#define NAMES(name) name, "pepa " name, "pepa help " name
static const Command commands[] = {
    {NAMES("solve"), "steady state: throughput, utilisation, population", cmd_solve,
     TAKES_FORM | TAKES_DERIVE | TAKES_SOLVE | TAKES_EXPLORE | TAKES_EXPLAIN | TAKES_MEASURES |
         TAKES_COMPARE | TAKES_SHARES},
    {NAMES("transient"), "measures at given times, from the initial state", cmd_transient,
     TAKES_FORM | TAKES_DERIVE | TAKES_EXPLORE | TAKES_MEASURES | TAKES_TIMES | TAKES_ACCUMULATED |
         TAKES_PLOT | TAKES_COMPARE | TAKES_SHARES},
    {NAMES("simulate"), "measures at given times or in the long run, by simulation", cmd_simulate,
     TAKES_FORM | TAKES_MODEL | TAKES_MEASURES | TAKES_TIMES | TAKES_SIMULATE | TAKES_PLOT},
    {NAMES("fluid"), "measures of large populations, by differential equations", cmd_fluid,
     TAKES_FORM | TAKES_MODEL | TAKES_MEASURES | TAKES_TIMES | TAKES_FLUID | TAKES_PLOT},
    {NAMES("passage"), "how long it takes from one event to another", cmd_passage,
     TAKES_FORM | TAKES_DERIVE | TAKES_SOLVE | TAKES_EXPLORE | TAKES_TIMES | TAKES_PASSAGE |
         TAKES_PROBE | TAKES_PLOT | TAKES_SAMPLED | TAKES_SHARES},
    {NAMES("sensitivity"), "derivatives of a measure by the rates", cmd_sensitivity,
     TAKES_FORM | TAKES_DERIVE | TAKES_SOLVE | TAKES_EXPLORE | TAKES_OF},
    {NAMES("experiment"), "measures in the long run while rates vary", cmd_experiment,
     TAKES_FORM | TAKES_DERIVE | TAKES_SOLVE | TAKES_EXPLORE | TAKES_MEASURES | TAKES_VARY |
         TAKES_PLOT | TAKES_TIMES | TAKES_POINTS | TAKES_SHARES},
    {NAMES("optimise"), "the rates and numbers of copies at which a measure is best", cmd_optimise,
     TAKES_FORM | TAKES_DERIVE | TAKES_SOLVE | TAKES_EXPLORE | TAKES_MEASURES | TAKES_OPTIMISE},
    {NAMES("fit"), "rates of a phase-type distribution from measured durations", cmd_fit,
     TAKES_FORM | TAKES_PLOT | TAKES_FIT},
    {NAMES("check"), "errors and warnings only; with --csl: does a formula hold", cmd_check,
     TAKES_FORM | TAKES_DERIVE | TAKES_EXPLORE | TAKES_CSL},
    {NAMES("states"), "the state space, all or filtered", cmd_states,
     TAKES_FORM | TAKES_DERIVE | TAKES_SOLVE | TAKES_FILTER},
    {NAMES("walk"), "step by step through the states, in a dialogue", cmd_walk,
     TAKES_MODEL | TAKES_WALK},
    {NAMES("graph"), "pictures: cooperation, components, states", cmd_graph,
     TAKES_MODEL | TAKES_GRAPH},
    {NAMES("export"), "other tools' formats", cmd_export,
     TAKES_DERIVE | TAKES_EXPORT | TAKES_MEASURES | TAKES_PROBE},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void help_all(FILE *to)
{
    (void)
        fprintf(to,
                "pepa %s: performance models in PEPA\n\nusage: pepa COMMAND MODEL [OPTION]...\n\n",
                pepa_version());
    for (size_t i = 0; i < COMMANDS; i++)
        (void)fprintf(to, "  %-12s %s\n", commands[i].name, commands[i].about);
    (void)fputs(
        "  lsp          a language server for editors, on standard input and output\n"
        "  serve        a workbench in the browser, on this machine\n"
        "  help         this text; 'pepa help COMMAND' for its options, 'pepa help methods'\n\n"
        "MODEL is a file, or - for standard input.\n"
        "Exit status: 0 solved, 1 the model is wrong, 2 usage, 3 not solved to the\n"
        "tolerance, 4 a limit was hit, 5 input or output failed.\n",
        to);
}

static void help_methods(FILE *to)
{
    for (int m = 0; m < PEPA_METHOD_COUNT; m++)
        (void)fprintf(to, "%-13s %s\n", pepa_method_name((PepaMethod)m),
                      pepa_method_about((PepaMethod)m));
}

static const Command *find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* The first word is no command: it is misspelt, a model, or an option. */
static int unknown_command(const char *name)
{
    const char *names[COMMANDS + 1];
    names[COMMANDS] = "serve";
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *meant = suggest(name, names, COMMANDS + 1);
    if (name[0] == '-' && name[1])
        return fail(EXIT_USAGE,
                    "pepa: '%s' comes before the command; usage: pepa COMMAND MODEL [OPTION]...",
                    name);
    if (meant)
        return fail(EXIT_USAGE, "pepa: there is no command '%s'; did you mean '%s'?", name, meant);
    if (strpbrk(name, "./") || access(name, F_OK) == 0 || strcmp(name, "-") == 0)
        return fail(EXIT_USAGE,
                    "pepa: the command is missing before the model; try 'pepa solve %s'", name);
    return fail(EXIT_USAGE, "pepa: there is no command '%s'; 'pepa help' lists them", name);
}

static int help(const char *topic)
{
    const Command *command = topic ? find(topic) : NULL;
    if (!topic)
        help_all(stdout);
    else if (strcmp(topic, "methods") == 0)
        help_methods(stdout);
    else if (strcmp(topic, "lsp") == 0)
        return cmd_lsp(1, (char *[]){"--help"});
    else if (strcmp(topic, "serve") == 0)
        return workbench((char *[]){"serve", "--help", NULL});
    else if (command)
        options_help(command, stdout);
    else
        return fail(EXIT_USAGE, "pepa: there is no help on '%s'; 'pepa help' lists the commands",
                    topic);
    return finish_output();
}

/* The words, with NULL at the end, in one piece of memory; NULL: there is none. */
static char **copy_words(int argc, char **argv)
{
    const size_t pointers = ((size_t)argc + 1) * sizeof *argv;
    size_t bytes = pointers;
    for (int i = 0; i < argc; i++)
        bytes += strlen(argv[i]) + 1;
    char **words = malloc(bytes);
    if (!words)
        return NULL;
    char *at = (char *)words + pointers;
    for (int i = 0; i < argc; i++) {
        const size_t size = strlen(argv[i]) + 1;
        words[i] = memcpy(at, argv[i], size);
        at += size;
    }
    words[argc] = NULL;
    return words;
}

/* Processes that are to share a command were started with different ones. */
static int differ(void)
{
    return fail(EXIT_USAGE,
                "pepa: the processes have different commands or options; give all the same");
}

static int run(Together *together, int argc, char **argv)
{
    const Command *command = argc < 2 ? NULL : find(argv[1]);
    if (!together_agree(together, command ? (double)(command - commands) : -1))
        return differ();
    if (argc < 2) {
        help_all(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    if (strcmp(name, "lsp") == 0)
        return cmd_lsp(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0) {
        (void)printf("pepa %s\n", pepa_version());
        return finish_output();
    }
    if (strcmp(name, "serve") == 0)
        return workbench(argv + 1);
    if (!command)
        return unknown_command(name);
    Together alone = {.beside = 1};
    if (together->processes && !(command->takes & TAKES_SHARES)) {
        if (together->processes->rank > 0)
            return EXIT_SOLVED;
        (void)fprintf(stderr,
                      "%s: one of the %d processes works; they share 'pepa solve', "
                      "'pepa transient', 'pepa passage' and 'pepa experiment'\n",
                      command->called, together->processes->count);
        together = &alone;
    }
    char **whole = copy_words(argc, argv); /* options are cut into names and values */
    if (!whole)
        return out_of_memory();
    Options options;
    int status = options_read(&options, command, together->beside, argc - 1, argv + 1);
    options.together = together;
    const bool same = together_agree(together, status == EXIT_SOLVED ? options.model != NULL : -1);
    if (!same && status == EXIT_SOLVED) {
        status = differ();
    } else if (status == EXIT_SOLVED && options.model) {
        const int dealt = options.hosts ? together_hosts(together, options.hosts, whole) : GO_ON;
        options_limit(&options, together);
        status = dealt == GO_ON ? command->run(&options) : dealt;
    }
    options_free(&options);
    free(whole);
    return status;
}

int main(int argc, char **argv)
{
    Together together;
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error, with a message */
    const int begun = together_begin(&together, argc, argv);
    return together_end(&together, begun == GO_ON ? run(&together, argc, argv) : begun);
}
