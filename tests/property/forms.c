#include "property/forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "property/exact.h"

enum {
    THREADS = 3,
    EXPLORERS = PEPA_EXPLORE_AUTO + 1,
    FORMS = PEPA_MATRIX_FREE + 1,
    SWEEPS = 3000
};
static const char *const explorer_name[EXPLORERS] = {"one by one", "as sets", "either"};
static const char *const form_name[FORMS] = {"auto", "explicit", "compact", "free"};

/* Within a kind solutions are the same to the last bit. */
typedef enum { REFUSED, BY_ROWS, SWEPT, CHOSEN, KINDS } Kind;

typedef struct {
    bool known;
    PepaStatus status;
    double *pi;
    PepaInfo info;
} Saved;

/* One model, with aggregation or without. */
typedef struct {
    const char *text;
    PepaSettings set;
    int64_t max_iter; /* of methods by name */
    EngineRun plain;  /* explored one by one */
    Exact exact;
    Saved saved[2][PEPA_METHOD_COUNT][KINDS]; /* [0]: one by one, [1]: as sets */
    FormsTally *tally;
    Text *why;
} Forms;

/* ---- the referee's word ---------------------------------------------------------------------- */

/* 1e-9: rates are rounded by other orders of operations here and there; elimination keeps that. */
static bool same_value(const char *what, const char *name, long double got, const OracleValues *all,
                       Text *why)
{
    double want = oracle_value(all, name);
    if (fabsl(got - want) <= 1e-9L * fabsl(want))
        return true;
    return engine_differs(why, "%s of %s: %.15Lg; the referee says %.15g", what, name, got, want);
}

static bool exact_is(const Exact *e, const OracleResult *want, Text *why)
{
    const EngineRun *run = e->run;
    const OracleGraph *graph = run->info.aggregated ? &want->counted : &want->concrete;
    if ((size_t)run->info.states != graph->states ||
        (size_t)run->info.transitions != graph->transitions ||
        (size_t)run->info.deadlocks != graph->deadlocks ||
        run->info.bottom_components != graph->bottoms)
        return engine_differs(why, "%lld states; the referee says %zu, or another structure",
                              (long long)run->info.states, graph->states);
    for (int32_t a = 0; a < run->info.actions; a++)
        if (!same_value("throughput", pepa_chain_action_name(run->chain, a), e->throughput[a],
                        &want->throughput, why))
            return false;
    for (int32_t p = 0, i = 0; p < run->info.positions; p++) {
        PepaPosition position = pepa_chain_position(run->chain, p);
        for (int32_t l = 0; l < position.local_count; l++, i++)
            if (!same_value("share", pepa_chain_local_name(run->chain, position.local[l]),
                            e->share[i], &want->position[p].share, why))
                return false;
    }
    return true;
}

/* ---- what is to be expected ------------------------------------------------------------------ */

/* blocks: the transitions are stored as the submatrices of sets. */
static Kind kind_of(bool blocks, PepaMatrixForm form, PepaMethod method)
{
    bool sweeps = method == PEPA_AUTO || method == PEPA_GAUSS_SEIDEL || method == PEPA_SOR;
    if (form == PEPA_MATRIX_FREE)
        return blocks && sweeps ? SWEPT : REFUSED;
    if (form == PEPA_MATRIX_AUTO && blocks && sweeps)
        return method == PEPA_AUTO ? CHOSEN : SWEPT;
    return BY_ROWS;
}

/* What the answer says of itself. */
static bool well_told(const EngineRun *run, const PepaSettings *set, Kind kind, Text *why)
{
    const PepaInfo *info = &run->solver;
    bool idle = strcmp(info->method, "none") == 0;
    const char *matrix = idle            ? "none"
                         : kind == SWEPT ? "free"
                         : set->solve.matrix == PEPA_MATRIX_COMPACT
                             ? "compact"
                             : "explicit"; /* there are few */
    bool method = idle || set->solve.method == PEPA_AUTO ||
                  strcmp(info->method, pepa_method_name(set->solve.method)) == 0;
    bool form =
        strcmp(info->matrix, matrix) == 0 || (kind == CHOSEN && strcmp(info->matrix, "free") == 0);
    if (method && form && info->tolerance == set->solve.tolerance && info->iterations >= 0 &&
        info->seconds >= info->matrix_seconds)
        return true;
    return engine_differs(why, "solved by %s with a matrix %s", info->method, info->matrix);
}

/* Iterations by name may fail, and so may auto where it is left nothing but sweeps, and LU factors
 * of chains that are too stiff for them; and say so. */
static bool excused(const Forms *f, const EngineRun *run, Kind kind)
{
    bool stiff = !isfinite(f->exact.condition);
    PepaMethod method =
        f->set.solve.method == PEPA_AUTO && kind == SWEPT ? PEPA_SOR : f->set.solve.method;
    bool may = method > PEPA_GTH || (method == PEPA_DIRECT && stiff);
    if (run->status == PEPA_ENOCONV && may &&
        strstr(run->err.message, "not solved to the tolerance") &&
        strcmp(run->solver.method, pepa_method_name(method)) == 0)
        return true;
    return engine_differs(f->why, "%s, %s: %s", pepa_status_text(run->status), run->stage,
                          run->err.message);
}

/* Where groups of states are hardly ever left, all but elimination is doubted, unless multilevel has
 * settled their shares, which are then right. */
static bool doubted(const Forms *f, const EngineRun *run, const Miss *miss)
{
    const long double settled = 1e-8L;
    if (!f->exact.apart || run->solver.caution[0] || strcmp(run->solver.method, "gth") == 0)
        return true;
    if (strcmp(run->solver.method, "multilevel") == 0 && miss->distance <= settled)
        return true;
    return engine_differs(f->why,
                          "groups of states are hardly ever left: off by %Lg, without a "
                          "word of caution",
                          miss->distance);
}

static bool refused(const EngineRun *run, Text *why)
{
    if (run->status == PEPA_EARG && run->err.limit == PEPA_LIMIT_MATRIX)
        return true;
    return engine_differs(why, "%s, and not refused: %s", pepa_status_text(run->status),
                          run->err.message);
}

/* ---- solutions ------------------------------------------------------------------------------- */

static bool first_of_kind(Forms *f, Saved *saved, const EngineRun *run, const int32_t *place,
                          Kind kind)
{
    size_t bytes = (size_t)run->info.states * sizeof *run->pi;
    Miss miss;
    f->tally->asked[run->info.symbolic][f->set.solve.method]++;
    *saved = (Saved){true, run->status, mem_alloc(1, bytes), run->solver};
    if (!saved->pi)
        abort();
    memcpy(saved->pi, run->pi, bytes);
    if (run->status != PEPA_OK)
        return excused(f, run, kind);
    f->tally->answers[run->info.symbolic][f->set.solve.method]++;
    return well_told(run, &f->set, kind, f->why) &&
           exact_answer(&f->exact, run, place, &miss, f->why) && doubted(f, run, &miss);
}

/* Sweeps without a matrix say less of groups of states than those with one at hand. */
static bool same_words(const PepaInfo *a, const PepaInfo *b, Kind kind)
{
    return strcmp(a->method, b->method) == 0 && strcmp(a->trail, b->trail) == 0 &&
           (kind == SWEPT || strcmp(a->caution, b->caution) == 0);
}

static bool one_more(const Forms *f, const Saved *saved, const EngineRun *run, Kind kind)
{
    const PepaInfo *info = &run->solver;
    bool same = run->status == saved->status;
    if (same && run->status != PEPA_OK)
        return excused(f, run, kind);
    same = same && memcmp(run->pi, saved->pi, (size_t)run->info.states * sizeof *run->pi) == 0 &&
           info->iterations == saved->info.iterations && info->residual <= saved->info.residual &&
           info->residual >= saved->info.residual && same_words(info, &saved->info, kind);
    if (same)
        return well_told(run, &f->set, kind, f->why);
    return engine_differs(f->why, "%s (residual %g), and before %s (%g): not the same bits",
                          pepa_status_text(run->status), info->residual,
                          pepa_status_text(saved->status), saved->info.residual);
}

static bool solve(Forms *f, EngineRun *run, const int32_t *place)
{
    PepaTransitions rows;
    bool blocks = pepa_chain_transitions(run->chain, &rows, NULL) != PEPA_OK;
    Kind kind = kind_of(blocks, f->set.solve.matrix, f->set.solve.method);
    Saved *saved = &f->saved[run->info.symbolic][f->set.solve.method][kind];
    f->set.solve.max_iter = kind == SWEPT                      ? SWEEPS
                            : f->set.solve.method != PEPA_AUTO ? f->max_iter
                                                               : 0;
    run->solver = (PepaInfo){.method = "", .matrix = "", .caution = ""};
    engine_solve(run, &f->set);
    if (kind == REFUSED)
        return refused(run, f->why);
    return saved->known ? one_more(f, saved, run, kind) : first_of_kind(f, saved, run, place, kind);
}

static bool solve_all(Forms *f, EngineRun *run, const int32_t *place)
{
    for (int method = 0; method < PEPA_METHOD_COUNT; method++)
        for (int form = 0; form < FORMS; form++)
            for (int threads = 1; threads <= THREADS; threads++) {
                f->set.solve.method = (PepaMethod)method;
                f->set.solve.matrix = (PepaMatrixForm)form;
                f->set.threads = threads;
                if (solve(f, run, place))
                    continue;
                text_add(f->why, "\n(by %s, matrix %s, %d threads)",
                         pepa_method_name(f->set.solve.method), form_name[form], threads);
                return false;
            }
    return true;
}

/* ---- explorations ---------------------------------------------------------------------------- */

static bool same_names(const EngineRun *a, const EngineRun *b)
{
    bool same = true;
    for (int32_t i = 0; i < a->info.actions && same; i++)
        same =
            strcmp(pepa_chain_action_name(a->chain, i), pepa_chain_action_name(b->chain, i)) == 0;
    for (int32_t i = 0; i < a->info.local_states && same; i++)
        same = strcmp(pepa_chain_local_name(a->chain, i), pepa_chain_local_name(b->chain, i)) == 0;
    return same;
}

static bool same_chain(const EngineRun *a, const EngineRun *b, Text *why)
{
    const PepaChainInfo *x = &a->info, *y = &b->info;
    if (x->states == y->states && x->transitions == y->transitions &&
        x->deadlocks == y->deadlocks && x->bottom_components == y->bottom_components &&
        x->actions == y->actions && x->positions == y->positions &&
        x->local_states == y->local_states && x->counts == y->counts &&
        x->aggregated == y->aggregated && same_names(a, b))
        return true;
    return engine_differs(why,
                          "another chain: %lld states, %lld transitions, %d deadlocks, %d ends",
                          (long long)x->states, (long long)x->transitions, x->deadlocks,
                          x->bottom_components);
}

/* Not explored: only what does not suit as sets, or is wrong, and then in the same words. */
static bool not_explored(const Forms *f, const EngineRun *run, PepaExplore explore)
{
    const EngineRun *plain = &f->plain;
    bool same = run->status == plain->status && plain->status != PEPA_OK &&
                strcmp(run->stage, plain->stage) == 0 &&
                strcmp(run->err.message, plain->err.message) == 0;
    if (same || (explore == PEPA_SYMBOLIC && run->status == PEPA_ELIMIT &&
                 strstr(run->err.message, "cannot be explored as sets")))
        return true;
    return engine_differs(f->why, "%s: %s; one by one: %s", pepa_status_text(run->status),
                          run->err.message, plain->err.message);
}

static bool explore(Forms *f, PepaExplore explore, int threads)
{
    PepaSettings how = f->set;
    how.solve.method = PEPA_AUTO;
    how.solve.matrix = PEPA_MATRIX_AUTO;
    how.solve.max_iter = 0;
    how.derive.explore = explore;
    how.threads = threads;
    EngineRun run = engine_run(f->text, NULL, &how);
    bool right;
    if (!run.chain) {
        right = not_explored(f, &run, explore);
    } else if (f->plain.status != PEPA_OK) {
        right = engine_differs(f->why, "explored; one by one: %s", f->plain.err.message);
    } else {
        int32_t *place = mem_alloc(f->exact.n, sizeof *place);
        if (!place)
            abort();
        f->tally->sets += run.info.symbolic && threads == 1;
        right = run.info.symbolic == (explore == PEPA_SYMBOLIC) &&
                same_chain(&run, &f->plain, f->why) &&
                exact_match(&f->exact, &run, place, f->why) &&
                solve_all(f, &run, run.info.symbolic ? place : NULL);
        mem_free(place);
    }
    engine_run_free(&run);
    if (!right)
        text_add(f->why, "\n(explored %s, aggregation %d, %d threads)", explorer_name[explore],
                 !how.derive.separate_copies, threads);
    return right;
}

static void forms_free(Forms *f)
{
    for (int sets = 0; sets < 2; sets++)
        for (int method = 0; method < PEPA_METHOD_COUNT; method++)
            for (int kind = 0; kind < KINDS; kind++)
                mem_free(f->saved[sets][method][kind].pi);
    exact_free(&f->exact);
    engine_run_free(&f->plain);
}

bool forms_agree(const char *text, const PepaSettings *set, const OracleResult *want,
                 FormsTally *tally, Text *why)
{
    Forms f = {.text = text,
               .set = *set,
               .max_iter = set->solve.max_iter,
               .tally = tally,
               .why = why};
    f.set.solve.max_iter = 0;
    f.plain = engine_run(text, NULL, &f.set);
    bool meant = !want || want->status == ORACLE_OK, right = (f.plain.status == PEPA_OK) == meant;
    tally->chains++;
    if (!right)
        (void)engine_differs(why, "%s: %s; the referee says: %s", f.plain.stage,
                             f.plain.status == PEPA_OK ? "fine" : f.plain.err.message,
                             want ? oracle_status_text(want->status) : "nothing");
    if (right && meant) {
        exact_new(&f.exact, &f.plain);
        right = !want || exact_is(&f.exact, want, why);
    }
    for (int way = 0; way < EXPLORERS && right; way++)
        for (int threads = 1; threads <= THREADS && right; threads++)
            right = explore(&f, (PepaExplore)way, threads);
    forms_free(&f);
    return right;
}
