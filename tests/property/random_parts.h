/* Inside of random_model: the rates, the sequential components and the static tree are made by
 * files of their own, in this order, on one generator. */
#ifndef PEPA_TESTS_RANDOM_PARTS_H
#define PEPA_TESTS_RANDOM_PARTS_H

#include "property/random_model.h"

enum { MAX_FAMILIES = 3, MAX_MEMBERS = 5, MAX_POOL = 64, MAX_PREFIXES = 2048, MAX_SYSTEMS = 2 };

/* Definitions that go on to one another: one kind of component under several names. */
typedef struct {
    int member[MAX_MEMBERS]; /* process definitions */
    int members;
    uint32_t alphabet;
    bool constant; /* one local state: whatever it does, it goes on as itself */
} Family;

/* A prefix of the model and the family in whose text it stands. */
typedef struct {
    RefTerm *term;
    int family;
} Placed;

typedef struct {
    RefModel *model;
    uint64_t state; /* of the generator */
    RandomKnobs knobs;
    bool functional, careless;
    Family family[MAX_FAMILIES];
    int families;
    int system[MAX_SYSTEMS]; /* named parts of the static tree, each made of those before it */
    int systems, systems_made;
    int counts;                    /* rates that were made for numbers of copies, */
    int functionals;               /* and for functional rates */
    const RefTerm *pool[MAX_POOL]; /* terms that were written once and may be written again */
    int pooled;
    Placed prefix[MAX_PREFIXES];
    int prefixes;
    bool stop_defined; /* Stop is one of the model's own processes */
} Maker;

int pick(Maker *maker, int n); /* 0 .. n-1 */
bool chance(Maker *maker, int percent);

/* A positive expression over the rates defined so far; depth 0 is a number or a name. */
const RefRate *random_rate(Maker *maker, int depth);
void random_rates(Maker *maker);
/* The expression made to depend on how many components are in some named local state. */
const RefRate *random_functional(Maker *maker, const RefRate *rate);

void random_families(Maker *maker);
/* A sequential component without a name, to stand in the static tree. */
const RefTerm *random_inline(Maker *maker, int family);

void random_system(Maker *maker);

/* Make activities immediate, passive where others drive them, and of priorities; then rates
 * functional. */
void random_levels(Maker *maker);

#endif
