/* One of everything that the libraries have, for tests in which memory runs out. */
#ifndef TESTS_FAULT_WORLD_H
#define TESTS_FAULT_WORLD_H

#include <criterion/criterion.h>
#include <string.h>

#include "amoget.h"
#include "base/mem.h"
#include "pepa_measure.h"

enum { STAGES = 2, RATES = 2, STATES = 64 };

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaSteady *steady;
    double pi[STATES]; /* of the chain */
    PepaMeasures *measures;
    PepaPredicate *predicate;
    AmogetDescription *desc;
    AmogetRanker *ranker;
    Text said; /* what calls handed out, in words: has room, so that saying it allocates nothing */
} World;

/* A description with as many processors as fit without growing, as a text. */
extern const char world_description[];

void world_new(World *w);
void world_free(World *w);

/* All that can be seen of a chain, and of a description. */
void show_chain(Text *out, const PepaChain *chain);
void show_description(Text *out, const AmogetDescription *desc);
/* To 7 digits: where memory is short another method may answer, to a tolerance of 1e-10. */
void say_numbers(World *w, const double *numbers, int64_t count);

/* A call of one public function.  It asserts that outputs are written on PEPA_OK only, says what
 * they are, and frees them. */
typedef PepaStatus Call(World *w, PepaError *err);

/* For each allocation of the call, on a new world: the call with it failing alone, with it and all
 * that follow, and once more with none. */
void replay(const char *name, Call *call);

#endif
