/* From a file to a ranking and its reasons, telling the user on the way. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amoget_cli.h"
#include "ending.h"

/* ---- reading -------------------------------------------------------------------------------- */

static int parse(Session *s)
{
    PepaError err = {0};
    const Options *o = s->options;
    const AmogetReading how =
        description_reading(&s->file, o->defines, o->define_count, (double)o->now);
    PepaStatus read = amoget_parse(&s->desc, description_name(&s->file), s->file.text,
                                   s->file.length, &how, &err);
    return read == PEPA_OK ? EXIT_SOLVED : description_complain(&s->file, read, &err);
}

static const PepaProcesses *processes(const Session *s)
{
    return s->options->together->processes;
}

bool session_reports(const Session *s)
{
    return !processes(s) || processes(s)->rank == 0;
}

/* An exit status of some process becomes that of all. */
static int agree(const Session *s, int status)
{
    double all = status;
    processes(s)->largest(processes(s)->user, &all, 1);
    return (int)all;
}

/* The first process has read the description with all that it includes; the others get it from there. */
static int spread(Session *s, int status)
{
    Text text = {0};
    const bool first = session_reports(s);
    int all = agree(s, status);
    if (all != EXIT_SOLVED)
        return all;
    if (first)
        description_pack(&s->file, &text);
    bool ok = together_text(s->options->together, &text);
    if (ok && !first)
        ok = description_unpack(&s->file, &text) && parse(s) == EXIT_SOLVED;
    text_free(&text);
    all = agree(s, ok ? EXIT_SOLVED : EXIT_LIMIT);
    return all == EXIT_SOLVED ? EXIT_SOLVED : out_of_memory();
}

int session_read(Session *s, const Options *options)
{
    *s = (Session){.options = options,
                   .file = {.path = options->path,
                            .quiet = options->quiet,
                            .sealed = options->no_include}};
    double start = clock_seconds();
    int status = session_reports(s) ? description_open(&s->file) : EXIT_SOLVED;
    if (status == EXIT_SOLVED && session_reports(s))
        status = parse(s);
    if (processes(s))
        status = spread(s, status);
    description_close(&s->file);
    s->parse_seconds = clock_seconds() - start;
    return status;
}

/* ---- one model ------------------------------------------------------------------------------ */

int session_model(Session *s)
{
    PepaError err;
    char *text = NULL;
    int32_t *mapping = calloc((size_t)amoget_stage_count(s->desc), sizeof *mapping);
    int status = mapping ? EXIT_SOLVED : out_of_memory();
    if (status == EXIT_SOLVED) {
        PepaStatus made = amoget_read_mapping(s->desc, s->options->mapping, mapping, &err);
        if (made == PEPA_EARG)
            (void)fprintf(stderr, "amoget: --model: %s\n", err.message);
        if (made == PEPA_OK)
            made = amoget_model(s->desc, mapping, &text, &err);
        status = made == PEPA_OK     ? EXIT_SOLVED
                 : made == PEPA_EARG ? EXIT_USAGE
                                     : description_complain(&s->file, made, &err);
    }
    if (status == EXIT_SOLVED) {
        (void)fputs(text, stdout);
        status = finish_output();
    }
    amoget_text_free(text);
    free(mapping);
    return status;
}

/* ---- ranking -------------------------------------------------------------------------------- */

static int progress(void *user, const AmogetProgress *p)
{
    Session *s = user;
    s->interrupted = ending_told();
    if (s->interrupted)
        return AMOGET_ENOUGH;
    if (s->options->quiet || (!s->options->progress && (p->seconds < 1 || !isatty(2))))
        return 0;
    char solved[COUNT_SIZE], all[COUNT_SIZE], bound[48] = "";
    if (p->best > 0 && isfinite(p->bound) && p->bound > p->best)
        (void)snprintf(bound, sizeof bound, ", at most %.6g", p->bound);
    progress_show(&s->progress_shown, "%s of %s solved, best %.6g%s, %.0f s",
                  count_text(p->solved, solved), count_text(p->candidates, all), p->best, bound,
                  p->seconds);
    return 0;
}

static AmogetSettings settings(Session *s)
{
    AmogetSettings set = s->options->set;
    set.progress = progress;
    set.user = s;
    return set;
}

int session_rank(Session *s)
{
    const int interrupt = SIGINT; /* the search ends with what it has */
    PepaError err = {0};
    int64_t most = s->options->top;
    AmogetSettings set = settings(s);
    set.processes = processes(s);
    set.top = most < 0 ? 0 : most;
    if (most < 0 && !s->options->json && !s->options->csv)
        most = 20; /* lines that a screen has room for */
    double start = clock_seconds();
    PepaStatus status = amoget_ranker_new(&s->ranker, s->desc, &set, &err);
    s->derive_seconds = clock_seconds() - start;
    start = clock_seconds();
    bool best = set.search == AMOGET_BEST ||
                (set.search == AMOGET_AUTO && amoget_mapping_count(s->desc) == 0);
    if (set.time_limit > 0) /* what is left, but for a part that the bottlenecks take */
        set.time_limit = fmax((best ? 0.9 : 1) * set.time_limit - s->derive_seconds, 1e-3);
    ending_listen(&interrupt, 1, true);
    if (status == PEPA_OK)
        status = amoget_rank(s->ranker, &set, &s->ranking, &err);
    ending_listen(&interrupt, 1, false);
    s->solve_seconds = clock_seconds() - start;
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK)
        return description_complain(&s->file, status, &err);
    s->shown = most > 0 && most < s->ranking->count ? most : s->ranking->count;
    return EXIT_SOLVED;
}

void session_free(Session *s)
{
    for (int64_t i = 0; s->why && i < s->shown; i++)
        amoget_explanation_free(s->why[i]);
    free(s->why);
    amoget_explanation_free(s->versus.why);
    free(s->versus.more);
    amoget_ranking_free(s->wider);
    amoget_ranking_free(s->ranking);
    amoget_ranker_free(s->ranker);
    amoget_free(s->desc);
    description_free(&s->file);
}
