/* Solves the chain of a session, alone or with other processes, keeping the solution if that is wanted. */
#include <stdlib.h>

#include "report.h"

#include <pepa_shared.h>

static PepaStatus solve_alone(Session *s, const PepaSettings *set, PepaError *err)
{
    s->pi = malloc((size_t)s->info.states * sizeof *s->pi);
    if (s->pi)
        return pepa_solve_steady(s->chain, set, s->pi, &s->solved, err);
    (void)snprintf(err->message, sizeof err->message, "out of memory");
    return PEPA_ENOMEM;
}

static PepaStatus solve_together(Session *s, const PepaSettings *set, PepaError *err)
{
    const PepaProcesses *p = s->options->together->processes;
    PepaStatus status = pepa_shared_solve(&s->shared, s->chain, p, set, &s->solved, err);
    s->peaks = calloc((size_t)p->count, sizeof *s->peaks);
    if (status == PEPA_OK)
        s->info.bottom_components = pepa_shared_bottoms(s->shared);
    if (s->checkpoint.path || !session_alone(s, &status, err) || status != PEPA_OK || s->waits)
        return status;
    const PepaSettings own = session_settings(s);
    return solve_alone(s, &own, err);
}

/* A direct method is done at once, or not at all. */
static void warn_of_direct(Session *s, const char *method)
{
    char text[96];
    (void)snprintf(text, sizeof text, "%s is a direct method: it leaves nothing to go on from",
                   method);
    session_warn(s, text);
}

static bool is_direct(PepaMethod method)
{
    return method == PEPA_GTH || method == PEPA_DIRECT;
}

/* Of the methods that were tried, those before are in the trail. */
static void warn_if_direct(Session *s)
{
    PepaMethod method;
    if (!is_direct(s->options->set.solve.method) && s->solved.trail[0] == '\0' &&
        pepa_method_find(s->solved.method, &method, NULL) == PEPA_OK && is_direct(method))
        warn_of_direct(s, s->solved.method);
}

/* Solutions are kept, and gone on with. */
static int go_on_from(Session *s, PepaSettings *set)
{
    const Options *o = s->options;
    const double usual = 600;
    if (!s->info.symbolic && s->transitions.row && shared_count(s) > 1) {
        session_warn(s, "one of the processes solves this chain, and writes no checkpoint");
        return EXIT_SOLVED;
    }
    if (is_direct(o->set.solve.method))
        warn_of_direct(s, pepa_method_name(o->set.solve.method));
    const int status =
        checkpoint_open(&s->checkpoint, o->checkpoint, o->every > 0 ? o->every : usual, o->resume,
                        o->together, s->model, s->chain);
    const CheckpointHead *old = &s->checkpoint.begun;
    if (o->together->hurried)
        session_warn(s, "Open MPI's mpirun kills its processes a second after Ctrl-C or SIGTERM; "
                        "to keep what was found and end, send it SIGUSR1");
    set->solve.keeping = &s->checkpoint.keeping;
    checkpoint_listen(true);
    if (status != EXIT_SOLVED || !o->resume || o->quiet)
        return status;
    if (s->checkpoint.keeping.load)
        (void)fprintf(stderr, "pepa: going on from %s: %lld iteration%s, %.0f s of work\n",
                      o->checkpoint, (long long)old->iterations, old->iterations == 1 ? "" : "s",
                      old->seconds);
    else
        (void)fprintf(stderr, "pepa: no %s: from the beginning\n", o->checkpoint);
    return EXIT_SOLVED;
}

int session_solve(Session *s)
{
    PepaError err = {0};
    PepaSettings set = session_settings(s);
    double start = clock_seconds();
    const int ready = s->options->checkpoint ? go_on_from(s, &set) : EXIT_SOLVED;
    if (ready != EXIT_SOLVED)
        return ready;
    PepaStatus status =
        shared_count(s) > 1 ? solve_together(s, &set, &err) : solve_alone(s, &set, &err);
    s->solved.seconds = clock_seconds() - start; /* with the preparations */
    progress_clear(&s->progress_shown);
    if (s->checkpoint.path)
        checkpoint_listen(false);
    if (s->waits)
        return EXIT_SOLVED;
    if (status == PEPA_OK && s->checkpoint.path)
        warn_if_direct(s);
    if (status == PEPA_OK)
        return session_measure(s);
    if (status == PEPA_ECANCEL && s->checkpoint.path)
        return checkpoint_ended(&s->checkpoint);
    if (set.solve.method == PEPA_AUTO) /* another one may take less */
        s->limit = err.limit;
    int said = complain(s, status, &err);
    if (s->options->explain && s->solved.method)
        (void)explain_text(s, false, stderr);
    return said;
}
