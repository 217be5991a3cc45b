/* The command line of mpirun. */
#include "grid/launch/command.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grid/launch/output.h"

static size_t count(char **words)
{
    size_t n = 0;
    while (words && words[n])
        n++;
    return n;
}

static void add(char **command, size_t *at, const char *const *words)
{
    for (size_t i = 0; words && words[i]; i++)
        command[(*at)++] = (char *)(uintptr_t)words[i];
}

/* Lines go through sed, which is not a child of the program and lasts until it has all; on hosts without mkfifo they
 * are printed as they are. */
const char command_padded[] =
    "d=$(mktemp -d) && mkfifo \"$d/1\" \"$d/2\" && { "
    "(trap '' TERM; export LC_ALL=C; s='sed -u'; "
    "command -v stdbuf >/dev/null && s='stdbuf -oL sed'; "
    "$s 's/$/" OUTPUT_PAD "/' <\"$d/1\" & $s 's/$/" OUTPUT_PAD "/' <\"$d/2\" >&2 &); "
    "exec >\"$d/1\" 2>\"$d/2\"; rm -r \"$d\"; }; exec \"$0\" \"$@\"";

const char command_colon[] =
    "m=$1; shift; n=$#; while [ $n -gt 0 ]; do a=$1; shift; "
    "[ \"$a\" = \"$m\" ] && a=:; set -- \"$@\" \"$a\"; n=$((n - 1)); done; "
    "exec \"$0\" \"$@\"";

static int has_word(char **words, const char *word)
{
    size_t i = 0;
    while (words[i] && strcmp(words[i], word) != 0)
        i++;
    return words[i] != NULL;
}

const char *command_mark(char **arguments, char mark[COMMAND_MARK])
{
    if (!has_word(arguments, ":"))
        return NULL;
    for (int i = 0; i == 0 || has_word(arguments, mark); i++)
        (void)snprintf(mark, COMMAND_MARK, "colon%d", i);
    return mark;
}

int command_is_here(const Launch *what)
{
    return !what->hosts && what->program;
}

/* Do standard output and standard error go to the same file or terminal?  Then the order of both is kept. */
static int is_one_output(void)
{
    struct stat out, err;
    return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 &&
           out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

/* shell: the text of a script before it, or NULL; mark: as of command_mark. */
static void add_program(char **command, size_t *at, char **program, const char *shell,
                        const char *mark)
{
    const char *const before[] = {"sh", "-c", shell, NULL};
    const char *const colon[] = {"sh", "-c", command_colon, program ? program[0] : NULL,
                                 mark, NULL};
    if (shell)
        add(command, at, before);
    if (mark)
        add(command, at, colon);
    for (size_t i = mark ? 1 : 0; program && program[i]; i++)
        command[(*at)++] =
            (char *)(uintptr_t)(mark && strcmp(program[i], ":") == 0 ? mark : program[i]);
}

char **command_make(const Launch *what, int output, char **text)
{
    enum { FIXED = 9, EACH = 15, PLACE = 3, TEXT = 200 };
    const long here = (long)getpid();
    static const char *const fixed[] = {"mpirun",    "-q",   "--oversubscribe",
                                        "--bind-to", "none", NULL};
    static const char *const tagged[] = {"--tag-output", NULL}, *const next[] = {":", NULL};
    static const char *const to_all[] = {"--stdin", "all", NULL};
    const size_t places = what->places ? count(what->places) / PLACE : 1;
    size_t at = 0;
    char **command = calloc(FIXED + places * (EACH + count(what->mpirun) + count(what->program)),
                            sizeof *command);
    *text = malloc(TEXT + COMMAND_MARK);
    if (!command || !*text) {
        free(command);
        return NULL;
    }
    add(command, &at, fixed);
    const int here_now = command_is_here(what) && !what->show; /* so that its pipes are there */
    if (what->prefix && !here_now)
        add(command, &at, tagged);
    if (what->input)
        add(command, &at, to_all);
    const char *shell = NULL;
    if (here_now) {
        if (what->prefix)
            (void)snprintf(*text, TEXT,
                           "r=$((%d + 2 * $OMPI_COMM_WORLD_RANK)); "
                           "exec \"$0\" \"$@\" 9>&2 >/proc/%ld/fd/$r 2>/proc/%ld/fd/$((r + 1))",
                           output, here, here);
        else
            (void)snprintf(*text, TEXT, "exec \"$0\" \"$@\" >/proc/%ld/fd/%d%s", here, output,
                           is_one_output() ? " 2>&1" : "");
        shell = *text;
    } else if (what->prefix && what->hosts && what->program) {
        shell = command_padded;
    }
    const char *mark = what->program ? command_mark(what->program + 1, *text + TEXT) : NULL;
    for (size_t k = 0; k < places; k++) {
        if (k > 0)
            add(command, &at, next);
        add(command, &at, (const char *const *)what->mpirun);
        if (what->places) {
            char **place = what->places + PLACE * k;
            const char *const where[] = {"-np", place[0], "--host", place[1], "-x", place[2], NULL};
            add(command, &at, where);
        }
        add_program(command, &at, what->program, shell, mark);
    }
    return command;
}

/* As a shell reads it. */
static void show_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    if (*word && word[strspn(word, plain)] == '\0') {
        (void)fputs(word, stdout);
        return;
    }
    (void)putchar('\'');
    for (; *word; word++)
        if (*word == '\'')
            (void)fputs("'\\''", stdout);
        else
            (void)putchar(*word);
    (void)putchar('\'');
}

void command_show(char **command)
{
    for (; *command; command++) {
        show_word(*command);
        (void)putchar(command[1] ? ' ' : '\n');
    }
    (void)fflush(stdout);
}
