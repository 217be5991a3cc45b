/* From a file to a ranking and its reasons, telling the user on the way. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amoget_cli.h"

/* A file that the description includes; its text must stay until the description is read. */
struct Included {
    Included *next;
    char *text;
};

const char *description_name(const Options *options)
{
    return strcmp(options->path, "-") == 0 ? "<stdin>" : options->path;
}

int complain(const Session *s, PepaStatus status, const PepaError *err)
{
    /* Errors of the description have been printed one by one, with their places. */
    bool said = false;
    for (size_t i = 0; i < s->findings.count; i++)
        said = said || s->findings.each[i].severity == PEPA_ERROR;
    if (!said)
        (void)fprintf(stderr, "amoget: %s: %s\n", description_name(s->options), err->message);
    return exit_status(status);
}

static void diagnose(void *user, const PepaDiagnostic *d)
{
    Session *s = user;
    findings_add(&s->findings, d);
    if (d->severity == PEPA_ERROR || !s->options->quiet)
        print_finding(d);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* All of a file, to be freed by mem_free; NULL with *err filled in. */
static char *read_path(const char *path, size_t *length, PepaError *err)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *from = standard ? stdin : fopen(path, "rb");
    Text text = {0};
    if (from)
        text_read(&text, from);
    if (!from || text.failed || ferror(from)) {
        *err = (PepaError){.code = errno == ENOMEM ? PEPA_ENOMEM : PEPA_EIO};
        (void)snprintf(err->message, sizeof err->message, "cannot read %s: %s",
                       standard ? "standard input" : path, strerror(errno));
        text_free(&text);
    }
    if (from && !standard)
        (void)fclose(from);
    *length = text.length;
    return text.text;
}

/* The path of `file` as seen from the folder that the description is in: free it. */
static char *beside(const char *description, const char *file)
{
    const char *slash = strrchr(description, '/');
    int folder = slash && file[0] != '/' ? (int)(slash - description) + 1 : 0;
    size_t size = (size_t)folder + strlen(file) + 1;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%.*s%s", folder, description, file);
    return path;
}

static const char *include(void *user, const char *file, size_t *length, PepaError *err)
{
    Session *s = user;
    Included *each = malloc(sizeof *each);
    char *path = beside(s->options->path, file), *text = NULL;
    if (each && path)
        text = read_path(path, length, err);
    else
        *err = (PepaError){.code = PEPA_ENOMEM, .message = "out of memory"};
    free(path);
    if (!text) {
        free(each);
        return NULL;
    }
    *each = (Included){s->included, text};
    s->included = each;
    return text;
}

static void forget_included(Session *s)
{
    while (s->included) {
        Included *next = s->included->next;
        mem_free(s->included->text);
        free(s->included);
        s->included = next;
    }
}

int session_read(Session *s, const Options *options)
{
    PepaError err = {0};
    *s = (Session){.options = options};
    AmogetReading how = {.defines = options->defines,
                         .define_count = options->define_count,
                         .include = include,
                         .now = (double)options->now,
                         .diagnose = diagnose,
                         .user = s};
    double start = clock_seconds();
    size_t length;
    char *text = read_path(options->path, &length, &err);
    if (!text) {
        (void)fprintf(stderr, "amoget: %s\n", err.message);
        return exit_status(err.code);
    }
    PepaStatus status = amoget_parse(&s->desc, description_name(options), text, length, &how, &err);
    mem_free(text);
    forget_included(s);
    s->parse_seconds = clock_seconds() - start;
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

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
                                     : complain(s, made, &err);
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
    PepaError err = {0};
    int64_t most = s->options->top;
    AmogetSettings set = settings(s);
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
    if (status == PEPA_OK)
        status = amoget_rank(s->ranker, &set, &s->ranking, &err);
    s->solve_seconds = clock_seconds() - start;
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK)
        return complain(s, status, &err);
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
    forget_included(s);
    findings_free(&s->findings);
}
