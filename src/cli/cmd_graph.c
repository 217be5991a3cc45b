/* pepa graph: pictures of a model, as text for Graphviz or drawn by its program `dot`. */
#include <string.h>

#include "drawing.h"
#include "graph.h"

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

/* ---- the command ----------------------------------------------------------------------------- */

typedef struct {
    const Session *session;
    const Picture *picture;
} Drawing;

static int write_text(const void *drawing, FILE *to)
{
    const Drawing *it = drawing;
    return it->picture->draw(it->session, to);
}

static int write_picture(const Session *s, const Picture *picture, bool svg)
{
    static char name[] = "dot", option[] = "-Tsvg";
    const Drawing drawing = {s, picture};
    const char *called = s->options->command->called;
    const Drawer drawer = {{svg ? name : NULL, option, NULL}, "graphviz", "--format dot"};
    if (s->options->output)
        return draw_file(called, &drawer, write_text, &drawing, s->options->output);
    int status = draw(called, &drawer, write_text, &drawing, stdout);
    return status == EXIT_SOLVED ? finish_output() : status;
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
    if (status == EXIT_SOLVED && picture->draw == draw_states)
        status = starts_find(&s);
    if (status == EXIT_SOLVED)
        status = write_picture(&s, picture, svg);
    session_free(&s);
    return status;
}
