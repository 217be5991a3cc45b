/* pepa graph: pictures of a model, as text for Graphviz or drawn by its program `dot`. */
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

extern char **environ;

enum { MOST_DRAWN = 100 }; /* states */

/* ---- what is asked --------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int (*draw)(const Session *s, FILE *to);
} Picture;
static const Picture pictures[] = {{"cooperation", draw_cooperation},
                                   {"components", draw_components},
                                   {"states", draw_states}};
enum { PICTURES = sizeof pictures / sizeof *pictures };

/* EXIT_SOLVED, or EXIT_USAGE with a message. */
static int find_picture(const Options *o, const Picture **picture)
{
    const char *names[PICTURES];
    *picture = &pictures[0];
    if (!o->picture)
        return EXIT_SOLVED;
    for (int i = 0; i < PICTURES; i++) {
        names[i] = pictures[i].name;
        if (strcmp(o->picture, names[i]) == 0) {
            *picture = &pictures[i];
            return EXIT_SOLVED;
        }
    }
    const char *meant = suggest(o->picture, names, PICTURES);
    if (meant)
        return fail(EXIT_USAGE, "pepa graph: there is no picture of '%s'; did you mean '%s'?",
                    o->picture, meant);
    return fail(EXIT_USAGE, "pepa graph: --of takes cooperation, components or states, not '%s'",
                o->picture);
}

static int find_format(const Options *o, bool *svg)
{
    const char *ending = o->output ? strrchr(o->output, '.') : NULL;
    if (!o->format) {
        *svg = ending && strcmp(ending, ".svg") == 0;
        return EXIT_SOLVED;
    }
    *svg = strcmp(o->format, "svg") == 0;
    if (*svg || strcmp(o->format, "dot") == 0)
        return EXIT_SOLVED;
    return fail(EXIT_USAGE,
                "pepa graph: --format takes dot or svg, not '%s'; 'dot -T' makes others of dot's "
                "text",
                o->format);
}

/* ---- Graphviz -------------------------------------------------------------------------------- */

/* Run `dot -Tsvg` from one file to another. */
static int run_dot(int from, int to)
{
    static char name[] = "dot", option[] = "-Tsvg";
    char *const arguments[] = {name, option, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int how = 0;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return out_of_memory();
    int error = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawnp(&child, name, &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        return fail(EXIT_INPUT, "pepa graph: there is no program 'dot' to draw with: install the "
                                "package graphviz, or write the text for it by --format dot");
    if (error != 0)
        return fail(EXIT_INPUT, "pepa graph: cannot run 'dot': %s", strerror(error));
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            return fail(EXIT_INPUT, "pepa graph: lost the program 'dot': %s", strerror(errno));
    if (WIFSIGNALED(how))
        return fail(EXIT_INPUT, "pepa graph: 'dot' was ended by signal %d", WTERMSIG(how));
    if (WEXITSTATUS(how) == 127)
        return fail(EXIT_INPUT, "pepa graph: cannot run 'dot'");
    if (WEXITSTATUS(how) != 0)
        return fail(EXIT_INPUT, "pepa graph: 'dot' failed with status %d", WEXITSTATUS(how));
    return EXIT_SOLVED;
}

static int no_scratch(void)
{
    return fail(EXIT_INPUT, "pepa graph: cannot make a temporary file: %s", strerror(errno));
}

static int copy_text(FILE *from, FILE *to)
{
    char buffer[1 << 14];
    rewind(from);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
        (void)fwrite(buffer, 1, n, to); /* whoever closes `to` looks for errors */
    return ferror(from)
               ? fail(EXIT_INPUT, "pepa graph: cannot read a temporary file: %s", strerror(errno))
               : EXIT_SOLVED;
}

/* The picture goes through a file, so that nothing is printed unless all of it can be. */
static int make(const Session *s, const Picture *picture, bool svg, FILE *to)
{
    FILE *text = tmpfile(), *drawn = svg ? tmpfile() : NULL;
    int status = text && (!svg || drawn) ? picture->draw(s, text) : no_scratch();
    if (status == EXIT_SOLVED && (fflush(text) != 0 || ferror(text)))
        status = fail(EXIT_INPUT, "pepa graph: cannot write a temporary file: %s", strerror(errno));
    if (status == EXIT_SOLVED && svg) {
        rewind(text);
        status = run_dot(fileno(text), fileno(drawn));
    }
    if (status == EXIT_SOLVED)
        status = copy_text(svg ? drawn : text, to);
    if (text)
        (void)fclose(text);
    if (drawn)
        (void)fclose(drawn);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int write_picture(const Session *s, const Picture *picture, bool svg)
{
    Output output;
    if (!s->options->output) {
        int status = make(s, picture, svg, stdout);
        return status == EXIT_SOLVED ? finish_output() : status;
    }
    int status = output_open(&output, s->options->output);
    if (status == EXIT_SOLVED)
        status = make(s, picture, svg, output.to);
    if (status == EXIT_SOLVED)
        status = output_close(&output);
    if (status == EXIT_SOLVED)
        status = output_keep(&output);
    output_free(&output);
    return status;
}

/* The chain, if the picture is of it. */
static int derive(Session *s)
{
    const bool given = s->options->set.derive.max_states != 0;
    Options small = *s->options;
    const Options *asked = s->options;
    if (!given)
        small.set.derive.max_states = MOST_DRAWN;
    s->options = &small;
    int status = session_explore(s);
    s->options = asked;
    if (status == EXIT_LIMIT && !given)
        return fail(status, "pepa graph: so many states are hard to read in a picture: draw --of "
                            "components, or list them by 'pepa states'");
    return status;
}

int cmd_graph(Options *options)
{
    const Picture *picture;
    bool svg;
    Session s = {.options = options};
    int status = find_picture(options, &picture);
    if (status == EXIT_SOLVED)
        status = find_format(options, &svg);
    if (status == EXIT_SOLVED)
        status = session_read(&s, options);
    if (status == EXIT_SOLVED && picture->draw == draw_states)
        status = derive(&s);
    if (status == EXIT_SOLVED)
        status = write_picture(&s, picture, svg);
    session_free(&s);
    return status;
}
