/* pepa walk: step by step through the states of a model, in a dialogue.
 *
 * Commands are lines of standard input.  At a terminal a wrong one is answered by a message, and
 * the walk goes on; in a script it ends the walk, with the status that says why.  The terminal stays
 * in the mode in which it was found, so that an interrupt needs no care. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyses.h"

enum { MOST_STEPS = 1000000 }; /* of a run, unless --max-steps says otherwise */

typedef struct {
    Session *s;
    PepaWalk *walk;
    uint64_t random;
    bool terminal; /* commands are typed */
    int64_t line;  /* of the command at hand */
    Ran ran;
    bool has_run; /* the command at hand has */
    bool over;
} Dialogue;

/* ---- what is said ---------------------------------------------------------------------------- */

/* A message about the command at hand; returns `status`. */
static int answer(const Dialogue *d, int status, const char *message)
{
    if (d->terminal)
        return fail(status, "%s", message);
    return fail(status, "pepa walk: line %lld: %s", (long long)d->line, message);
}

static int answer_error(Dialogue *d, PepaStatus status, const PepaError *err)
{
    (void)fflush(stdout);
    progress_clear(&d->s->progress_shown);
    if (status == PEPA_EMODEL) /* has been printed, with its place */
        return answer(d, EXIT_MODEL, "the model is wrong there: the walk stays where it is");
    if (err->limit == PEPA_LIMIT_STATES) {
        char message[sizeof err->message + 40];
        (void)snprintf(message, sizeof message, "%s (--max-states sets the limit)", err->message);
        return answer(d, exit_status(status), message);
    }
    return answer(d, exit_status(status), err->message);
}

static int show(const Dialogue *d)
{
    const Ran *ran = d->has_run ? &d->ran : NULL;
    int status =
        d->s->options->json ? show_walk_json(d->s, d->walk, ran) : show_walk(d->s, d->walk);
    return status == EXIT_SOLVED ? finish_output() : status;
}

static int help(const Dialogue *d)
{
    FILE *to = d->s->options->json ? stderr : stdout;
    (void)fputs("  N            take step N of those that are enabled\n"
                "  b [N]        back: take back the last step, or the last N\n"
                "  j            jump to the initial state\n"
                "  j N          jump to state N of those that 'pepa states' lists\n"
                "  j (P, Q:2)   jump to this state\n"
                "  r PREDICATE  run: steps at random until it is true, as r Waiting >= 2\n"
                "  r N          run: N steps at random\n"
                "  s            show the state again; an empty line does too\n"
                "  h            help\n"
                "  q            quit; so does the end of the input\n",
                to);
    return EXIT_SOLVED;
}

/* ---- commands -------------------------------------------------------------------------------- */

/* What came of a move: the state that it led to, or a message. */
static int moved(Dialogue *d, PepaStatus status, const PepaError *err)
{
    progress_clear(&d->s->progress_shown);
    return status == PEPA_OK ? show(d) : answer_error(d, status, err);
}

static int take(Dialogue *d, int64_t number)
{
    const int32_t enabled = pepa_walk_info(d->walk).enabled;
    PepaError err = {0};
    char message[100];
    if (number >= 1 && number <= enabled)
        return moved(d, pepa_walk_take(d->walk, (int32_t)number - 1, &err), &err);
    if (enabled == 0)
        return answer(d, EXIT_USAGE, "nothing is enabled here: b takes back the last step");
    if (enabled == 1)
        return answer(d, EXIT_USAGE, "only step 1 is enabled");
    (void)snprintf(message, sizeof message, "there is no step %lld: 1 to %d are enabled",
                   (long long)number, enabled);
    return answer(d, EXIT_USAGE, message);
}

static int back(Dialogue *d, const char *text)
{
    int64_t steps = 1;
    PepaError err = {0};
    if (*text && !whole(text, 1, &steps))
        return answer(d, EXIT_USAGE, "b takes a number of steps, or nothing");
    if (pepa_walk_info(d->walk).length == 0)
        return answer(d, EXIT_USAGE, "there is no step to take back");
    return moved(d, pepa_walk_back(d->walk, steps, &err), &err);
}

static int jump(Dialogue *d, const char *text)
{
    int64_t number = 1;
    PepaError err = {0};
    PepaStatus status;
    if (!*text || whole(text, 1, &number))
        status = pepa_walk_jump(d->walk, number - 1, &err);
    else if (isdigit((unsigned char)*text) || *text == '-')
        return answer(d, EXIT_USAGE, "states are numbered from 1");
    else
        status = pepa_walk_go(d->walk, text, &err);
    return moved(d, status, &err);
}

/* Until the predicate is true, or so many steps if there is none. */
static int run_steps(Dialogue *d, const PepaPredicate *until, int64_t most)
{
    PepaError err = {0};
    char message[120], number[NUMBER_SIZE];
    PepaStatus status =
        pepa_walk_run(d->walk, until, most, &d->random, &d->ran.taken, &d->ran.end, &err);
    progress_clear(&d->s->progress_shown);
    if (status != PEPA_OK)
        return answer_error(d, status, &err);
    d->has_run = true;
    (void)number_grouped(d->ran.taken, number);
    if (d->ran.end == PEPA_RUN_MOST) {
        int shown = d->terminal ? show(d) : EXIT_SOLVED;
        (void)snprintf(message, sizeof message,
                       "it has not been true in %s steps (--max-steps sets the limit)", number);
        return shown == EXIT_SOLVED ? answer(d, EXIT_LIMIT, message) : shown;
    }
    if (!d->s->options->json)
        (void)printf("%s%s step%s at random\n",
                     d->ran.end == PEPA_RUN_DEADLOCK ? "a deadlock ends the run: " : "", number,
                     d->ran.taken == 1 ? "" : "s");
    return show(d);
}

static int run_until(Dialogue *d, const char *text)
{
    const Options *o = d->s->options;
    PepaPredicate *until = NULL;
    PepaError err = {0};
    int64_t steps;
    if (!*text)
        return answer(d, EXIT_USAGE, "r takes a predicate, as Waiting >= 2, or a number of steps");
    if (whole(text, 1, &steps))
        return run_steps(d, NULL, steps);
    if (text[strspn(text, "0123456789")] == '\0')
        return answer(d, EXIT_USAGE, "r takes from 1 step on, and not so many");
    (void)fflush(stdout);
    PepaStatus status = pepa_predicate_new(&until, d->s->model, "r", text, strlen(text),
                                           session_diagnose, d->s, &err);
    if (status != PEPA_OK)
        return status != PEPA_EARG ? answer_error(d, status, &err)
               : d->terminal       ? EXIT_USAGE /* what is wrong has been printed */
                                   : answer(d, EXIT_USAGE, "the predicate has no meaning");
    int ended = run_steps(d, until, o->max_steps ? o->max_steps : MOST_STEPS);
    pepa_predicate_free(until);
    return ended;
}

/* The rest of a command of one letter; NULL: it is another. */
static char *after_letter(char *command, char letter)
{
    if (command[0] != letter ||
        (command[1] && !isspace((unsigned char)command[1]) && (letter != 'j' || command[1] != '(')))
        return NULL;
    return command + 1 + strspn(command + 1, " \t");
}

static int obey(Dialogue *d, char *command)
{
    int64_t number;
    char *rest;
    d->has_run = false;
    if (command[0] == '#')
        return EXIT_SOLVED;
    if (!command[0] || strcmp(command, "s") == 0)
        return show(d);
    if (whole(command, 0, &number))
        return take(d, number);
    if ((rest = after_letter(command, 'b')))
        return back(d, rest);
    if ((rest = after_letter(command, 'j')))
        return jump(d, rest);
    if ((rest = after_letter(command, 'r')))
        return run_until(d, rest);
    if (strcmp(command, "h") == 0 || strcmp(command, "?") == 0)
        return help(d);
    if (strcmp(command, "q") == 0) {
        d->over = true;
        return EXIT_SOLVED;
    }
    char message[100];
    (void)snprintf(message, sizeof message, "there is no command '%.40s'; h lists them", command);
    return answer(d, EXIT_USAGE, message);
}

/* ---- the dialogue ---------------------------------------------------------------------------- */

/* A command without blanks around it. */
static char *trim(char *line, size_t length)
{
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    return line + strspn(line, " \t");
}

/* At a terminal only a failure that no other command could avoid ends the walk. */
static bool ends(const Dialogue *d, int status)
{
    return status != EXIT_SOLVED && (!d->terminal || status == EXIT_INPUT);
}

static int converse(Dialogue *d)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length = 0;
    int status = show(d);
    bool wrong = false; /* some state is */
    while (!d->over && !ends(d, status)) {
        if (d->terminal) {
            (void)fputs("> ", stderr);
            (void)fflush(stderr);
        }
        if ((length = getline(&line, &size, stdin)) < 0)
            break;
        d->line++;
        status = strlen(line) == (size_t)length
                     ? obey(d, trim(line, (size_t)length))
                     : answer(d, EXIT_USAGE, "a command has no character 0");
        wrong = wrong || status == EXIT_MODEL;
    }
    const bool lost = length < 0 && ferror(stdin);
    if (lost)
        status = fail(EXIT_INPUT, "pepa walk: cannot read standard input: %s", strerror(errno));
    else if (length < 0 && d->terminal)
        (void)fputc('\n', stderr);
    free(line);
    if (ends(d, status))
        return status;
    return wrong ? EXIT_MODEL : EXIT_SOLVED;
}

int cmd_walk(Options *options)
{
    if (strcmp(options->model, "-") == 0)
        return fail(EXIT_USAGE, "pepa walk: standard input has the commands: give the model as a "
                                "file");
    Session s = {.options = options};
    Dialogue d = {.s = &s,
                  .random = options->seed ? (uint64_t)options->seed : 1,
                  .terminal = isatty(STDIN_FILENO) != 0};
    PepaError err = {0};
    int status = session_read(&s, options);
    if (status == EXIT_SOLVED) {
        const PepaSettings set = session_settings(&s);
        PepaStatus made = pepa_walk_new(&d.walk, s.model, &set, &err);
        status = made == PEPA_OK ? EXIT_SOLVED : complain(&s, made, &err);
    }
    if (status == EXIT_SOLVED && d.terminal && !options->json)
        (void)printf("%s: h lists the commands, q quits\n", model_name(options));
    if (status == EXIT_SOLVED)
        status = converse(&d);
    pepa_walk_free(d.walk);
    session_free(&s);
    return status;
}
