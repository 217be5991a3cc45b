/* Fits every candidate family by maximum likelihood and keeps the one with the best criterion.  EM
 * finds local maxima, so that it starts several times, briefly, and goes on from the best.  Starts
 * are always the same. */
#include "fit/search.h"

#include <math.h>

#include "fit/erlangs.h"
#include "fit/mixture.h"

enum { TRIAL = 15, TIRED = 2 }; /* steps of a start; sizes without gain that end a family */

/* ---- samples --------------------------------------------------------------------------------- */

bool sample_new(Sample *s, const double *ascending, size_t count, size_t most)
{
    *s = (Sample){.total = (double)count};
    if (!mem_new(s->time, count) || !mem_new(s->weight, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (s->count && s->time[s->count - 1] == ascending[i])
            s->weight[s->count - 1]++;
        else {
            s->time[s->count] = ascending[i];
            s->weight[s->count++] = 1;
        }
    if (s->count <= most)
        return true;
    const size_t values = s->count;
    s->count = 0;
    for (size_t g = 0, k = 0; g < most; g++) {
        double weight = 0, sum = 0;
        for (; k < (g + 1) * values / most; k++) {
            weight += s->weight[k];
            sum += s->weight[k] * s->time[k];
        }
        s->time[s->count] = sum / weight;
        s->weight[s->count++] = weight;
    }
    return true;
}

void sample_free(Sample *s)
{
    mem_free_all(s->time, s->weight);
}

double sample_variation(const Sample *s)
{
    double mean = 0, square = 0;
    for (size_t i = 0; i < s->count; i++)
        mean += s->weight[i] / s->total * s->time[i];
    for (size_t i = 0; i < s->count; i++)
        square += s->weight[i] / s->total * (s->time[i] - mean) * (s->time[i] - mean);
    return square / (mean * mean);
}

/* ---- starts -------------------------------------------------------------------------------------- */

/* A chain of mean 1 with rates in geometric order, the slowest first, that is entered at the
 * first phase with one probability and anywhere with the rest. */
static void chain_start(int32_t n, double spread, double first, Phases *p)
{
    *p = (Phases){.family = PEPA_FIT_COX, .phases = n};
    for (int32_t i = 0; i < n; i++) {
        p->rate[i] = n > 1 ? pow(spread, (double)i / (n - 1)) : 1;
        p->share[i] = (1 - first) / n + (i == 0 ? first : 0);
    }
    phases_scale(p, 1 / phases_moments(p).mean);
}

/* Start number `index`; false: there are no more. */
static bool start(const Sample *s, PepaFitFamily family, int32_t n, int index, Phases *p)
{
    static const double spread[] = {1, 4, 30, 300}, first[] = {0.95, 0.2};
    if (family == PEPA_FIT_COX) {
        if (index >= 8)
            return false;
        chain_start(n, spread[index / 2], first[index % 2], p);
        return true;
    }
    const double variation = sample_variation(s);
    if (index == 0)
        mixture_by_shares(s, n, p);
    else if (index == 1 && n == 2 && variation > 1)
        mixture_by_moments(variation, p);
    else
        return false;
    return true;
}

/* Every division of the phases into branches, with the largest shape for the largest values, and for the
 * smallest ones; more branches have to be worth their parameters (BIC).  False: as of climb. */
static bool start_erlangs(const Sample *s, const Effort *effort, int32_t n, Phases *p)
{
    const Effort trial = {TRIAL, 0, effort->watch};
    int32_t shape[MOST + 1], turned[MOST], branches = 0;
    PepaFitCandidate tried;
    double best = -INFINITY;
    while (erlangs_next(n, shape, &branches))
        for (int turn = 0; turn < 2; turn++) {
            Phases from;
            for (int32_t i = 0; i < branches; i++)
                turned[i] = shape[turn ? branches - 1 - i : i];
            erlangs_by_parts(s, turned, branches, &from);
            if (!climb(s, &trial, &from, &tried))
                return false;
            const double worth =
                tried.log_likelihood - phases_parameters(&from) * log(s->total) / 2;
            if (worth > best) {
                best = worth;
                *p = from;
            }
        }
    return true;
}

static double mean_of(const Sample *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += s->weight[i] / s->total * s->time[i];
    return sum;
}

bool search_family(const Sample *s, const Effort *effort, PepaFitFamily family, int32_t n,
                   Phases *p, PepaFitCandidate *found)
{
    const Effort trial = {TRIAL, 0, effort->watch};
    PepaFitCandidate tried, best = {.log_likelihood = -INFINITY};
    Phases from;
    if (family == PEPA_FIT_ERLANG) {
        *p = (Phases){.family = family, .phases = n, .rate = {n / mean_of(s)}};
        *found = (PepaFitCandidate){.family = family, .phases = n, .converged = 1};
        return !watch_stops(effort->watch);
    }
    if (family == PEPA_FIT_HYPER_ERLANG)
        return start_erlangs(s, effort, n, p) && climb(s, effort, p, found);
    for (int i = 0; start(s, family, n, i, &from); i++) {
        if (!climb(s, &trial, &from, &tried))
            return false;
        if (i == 0 || tried.log_likelihood > best.log_likelihood) {
            best = tried;
            *p = from;
        }
    }
    return climb(s, effort, p, found);
}

/* ---- the choice ------------------------------------------------------------------------------ */

void search_judge(const Phases *p, const Sample *whole, PepaFitCandidate *f)
{
    f->parameters = phases_parameters(p);
    f->log_likelihood = phases_likelihood(p, whole);
    f->aic = 2 * f->parameters - 2 * f->log_likelihood;
    f->bic = f->parameters * log(whole->total) - 2 * f->log_likelihood;
}

static double criterion(const Search *search, int32_t i, const PepaFitSettings *set)
{
    return set->criterion == PEPA_FIT_AIC ? search->found[i].aic : search->found[i].bic;
}

/* The likelihood of Erlang distributions grows with the phases up to one number and then falls. */
static bool best_erlang(const Sample *s, int32_t first, int32_t last, const Sample *whole,
                        Watch *watch, Search *search)
{
    const Effort effort = {.watch = watch};
    Phases p;
    PepaFitCandidate found;
    const int32_t at = search->count++;
    for (int32_t k = first; k <= last; k++) {
        if (!search_family(s, &effort, PEPA_FIT_ERLANG, k, &p, &found))
            return false;
        search_judge(&p, whole, &found);
        if (k > first && found.log_likelihood <= search->found[at].log_likelihood)
            break;
        search->phases[at] = p;
        search->found[at] = found;
    }
    watch->count++;
    return true;
}

static bool grow(const Sample *s, PepaFitFamily family, const Sample *whole,
                 const PepaFitSettings *set, Watch *watch, Search *search)
{
    const Effort effort = {set->max_iter, set->tolerance, watch};
    const int32_t least = set->phases ? set->phases : family == PEPA_FIT_HYPER_ERLANG ? 3 : 2;
    const int32_t most = set->phases ? set->phases : set->max_phases;
    const bool all = family == PEPA_FIT_HYPER_ERLANG; /* peaks need phases before they help */
    double best = INFINITY;
    int worse = 0;
    for (int32_t n = least; n <= most && n <= MOST && (worse < TIRED || all); n++) {
        const int32_t at = search->count;
        if (!search_family(s, &effort, family, n, &search->phases[at], &search->found[at]))
            return false;
        search_judge(&search->phases[at], whole, &search->found[at]);
        search->count++;
        watch->count++;
        worse = criterion(search, at, set) < best ? 0 : worse + 1;
        best = fmin(best, criterion(search, at, set));
    }
    return true;
}

bool search_all(const Sample *grouped, const Sample *whole, const PepaFitSettings *set,
                Watch *watch, Search *search)
{
    const PepaFitFamily family = set->family;
    const int32_t n = set->phases;
    *search = (Search){.count = 0};
    if ((family == PEPA_FIT_ANY || family == PEPA_FIT_ERLANG) &&
        !best_erlang(grouped, n ? n : 1, n ? n : set->max_phases, whole, watch, search))
        return false;
    if (n != 1 &&
        (family == PEPA_FIT_HYPER || (family == PEPA_FIT_ANY && sample_variation(grouped) > 1)) &&
        !grow(grouped, PEPA_FIT_HYPER, whole, set, watch, search))
        return false;
    if (n != 1 && (family == PEPA_FIT_ANY || family == PEPA_FIT_COX) &&
        !grow(grouped, PEPA_FIT_COX, whole, set, watch, search))
        return false;
    if ((n == 0 || n > 2) && (family == PEPA_FIT_ANY || family == PEPA_FIT_HYPER_ERLANG) &&
        !grow(grouped, PEPA_FIT_HYPER_ERLANG, whole, set, watch, search))
        return false;
    for (int32_t i = 1; i < search->count; i++)
        if (criterion(search, i, set) < criterion(search, search->chosen, set))
            search->chosen = i;
    return true;
}
