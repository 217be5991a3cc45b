#include "measures.h"

#include <stdlib.h>

static void *array(int32_t count, size_t size)
{
    return calloc(count > 0 ? (size_t)count : 1, size);
}

static int larger(const void *a, const void *b)
{
    const Named *x = a, *y = b;
    if (x->shown != y->shown)
        return x->shown > y->shown ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

void sort_largest(Named *items, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        char text[40];
        (void)snprintf(text, sizeof text, "%.10g", items[i].value);
        items[i].shown = strtod(text, NULL);
        items[i].place = i;
    }
    qsort(items, (size_t)count, sizeof *items, larger);
}

static int more_probable(const void *a, const void *b)
{
    const Bottom *x = a, *y = b;
    if (x->probability != y->probability)
        return x->probability > y->probability ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static void find_bottoms(Measures *m, const Session *s)
{
    for (int64_t state = s->info.states - 1; state >= 0; state--) {
        int32_t bottom = pepa_chain_bottom(s->chain, state);
        if (bottom < 0)
            continue;
        m->bottom[bottom].probability += s->pi[state];
        m->bottom[bottom].states++;
        m->bottom[bottom].first = state;
    }
    qsort(m->bottom, (size_t)s->info.bottom_components, sizeof *m->bottom, more_probable);
}

static bool compute(Measures *m, const Session *s, double *value)
{
    const PepaChainInfo *info = &s->info;
    pepa_throughputs(s->chain, s->pi, value);
    for (int32_t a = 0; a < info->actions; a++)
        m->throughput[a] = (Named){.name = pepa_chain_action_name(s->chain, a), .value = value[a]};
    if (pepa_utilisations(s->chain, s->pi, value, NULL) != PEPA_OK)
        return false;
    for (int32_t p = 0, at = 0; p < info->positions; p++) {
        PepaPosition position = pepa_chain_position(s->chain, p);
        for (int32_t l = 0; l < position.local_count; l++, at++)
            m->share[at] = (Named){.name = pepa_chain_local_name(s->chain, position.local[l]),
                                   .value = value[at]};
    }
    if (pepa_populations(s->chain, s->pi, value, NULL) != PEPA_OK)
        return false;
    for (int32_t l = 0; l < info->local_states; l++)
        m->population[l] = (Named){.name = pepa_chain_local_name(s->chain, l), .value = value[l]};
    return true;
}

bool measures_new(Measures *m, const Session *s)
{
    const PepaChainInfo *info = &s->info;
    int32_t most = info->actions > info->counts ? info->actions : info->counts;
    double *value = array(most, sizeof *value);
    m->throughput = array(info->actions, sizeof *m->throughput);
    m->share = array(info->counts, sizeof *m->share);
    m->population = array(info->local_states, sizeof *m->population);
    m->bottom = array(info->bottom_components, sizeof *m->bottom);
    bool ok =
        value && m->throughput && m->share && m->population && m->bottom && compute(m, s, value);
    if (ok)
        find_bottoms(m, s);
    free(value);
    if (!ok) {
        measures_free(m);
        (void)out_of_memory();
    }
    return ok;
}

void measures_free(Measures *m)
{
    free(m->throughput);
    free(m->share);
    free(m->population);
    free(m->bottom);
    *m = (Measures){0};
}
