#include "measure/spread_compact.h"

bool spread_tries_compact(const Chain *chain, PepaMatrixForm form)
{
    const double each = (double)chain->spread->transitions / chain->spread->processes->count;
    return form != PEPA_MATRIX_EXPLICIT && (form != PEPA_MATRIX_AUTO || each >= MANY_ENTRIES);
}

PepaStatus spread_agree_form(SpreadBuilding *b, PepaMatrixForm form)
{
    if (processes_count(b->processes, !b->inner.few) == 0)
        return PEPA_OK;
    if (form == PEPA_MATRIX_COMPACT)
        return chances_too_many(b->err);
    return spread_agree(b, entries_widen(&b->inner));
}
