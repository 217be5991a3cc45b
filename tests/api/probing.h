/* Models with probes, through the public interface. */
#ifndef TESTS_API_PROBING_H
#define TESTS_API_PROBING_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parsing.h"
#include "pepa_passage.h"

typedef struct {
    PepaModel *plain, *model; /* without and with the probe */
    PepaProbe probe;
    PepaChain *chain;
    PepaPredicate *from, *to;
    PepaPassage *passage;
    double *pi;
} Probed;

static inline void succeed(PepaStatus status, const PepaError *err, const char *what)
{
    cr_assert_eq(status, PEPA_OK, "%s\n%s", what, err->message);
}

static inline PepaPredicate *read_predicate(const PepaModel *model, const char *text)
{
    PepaPredicate *predicate = NULL;
    PepaError err = {0};
    succeed(pepa_predicate_new(&predicate, model, "test", text, strlen(text), NULL, NULL, &err),
            &err, text);
    return predicate;
}

/* The passage of a probe, on states one by one or as sets. */
static inline Probed probed_new(const char *model, const char *probe, bool from_start,
                                PepaExplore explore)
{
    Probed p = {.plain = parse(model)};
    PepaError err = {0};
    PepaSettings set = {.derive.explore = explore, .solve.tolerance = 1e-13};
    succeed(pepa_model_probe(&p.model, p.plain, "probe", probe, strlen(probe), from_start, NULL,
                             NULL, &p.probe, &err),
            &err, probe);
    succeed(pepa_chain_derive(&p.chain, p.model, &set, &err), &err, model);
    p.pi = malloc((size_t)pepa_chain_info(p.chain).states * sizeof *p.pi);
    if (!from_start)
        succeed(pepa_solve_steady(p.chain, &set, p.pi, NULL, &err), &err, model);
    p.from = from_start ? NULL : read_predicate(p.model, p.probe.running);
    p.to = read_predicate(p.model, p.probe.stopped);
    const PepaPassageEnds ends = {.from = p.from, .from_start = from_start, .to = p.to};
    succeed(pepa_passage_new(&p.passage, p.chain, p.pi, &ends, &set, &err), &err, probe);
    return p;
}

static inline void probed_free(Probed *p)
{
    pepa_passage_free(p->passage);
    pepa_predicate_free(p->from);
    pepa_predicate_free(p->to);
    pepa_chain_free(p->chain);
    pepa_text_free(p->probe.running);
    pepa_text_free(p->probe.stopped);
    pepa_model_free(p->model);
    pepa_model_free(p->plain);
    free(p->pi);
}

#endif
