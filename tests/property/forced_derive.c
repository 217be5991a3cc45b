/* The library's choice of a way to explore, from as many states as forcing.c says. */
#include "property/forcing.h"

#include "ctmc/explore/tuning.h"

#define FEWEST_FOR_SETS       forcing_fewest_for_sets()
#define MOST_ONE_BY_ONE       forcing_most_one_by_one()
#define chain_derive          forced_chain_derive
#define chain_derive_spread   forced_chain_derive_spread
#define chain_derive_runs     forced_chain_derive_runs
#define chain_derive_together forced_chain_derive_together
#define chain_may_be_sets     forced_chain_may_be_sets
#define chain_few_to_share    forced_chain_few_to_share
PepaStatus chain_derive_spread(Chain **out, const Model *model, const PepaProcesses *p,
                               const PepaSettings *set, DiagList *diags, PepaError *err);
PepaStatus chain_derive_runs(Chain **out, const Model *model, const PepaProcesses *p,
                             int64_t fewest, const PepaSettings *set, DiagList *diags,
                             PepaError *err);
PepaStatus chain_derive_together(Chain **out, const Model *model, const PepaProcesses *p,
                                 const PepaSettings *set, DiagList *diags, PepaError *err);
bool chain_may_be_sets(const Chain *chain);
int64_t chain_few_to_share(const PepaProcesses *p);
#include "ctmc/explore/derive.c"
