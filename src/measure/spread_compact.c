/* Rows of processes in compact form: of few different chances, 2 bytes say which one it is. */
#include "base/processes.h"
#include "measure/spread_flow.h"

/* False: there are too many. */
static bool find_codes(SpreadFlow *f, uint16_t *code)
{
    const int64_t entries = f->row[f->flow.n];
    for (int64_t k = 0; k < entries; k++) {
        const int32_t place = chances_find(&f->chances, f->val[k]);
        if (place < 0)
            return false;
        code[k] = (uint16_t)place;
    }
    return true;
}

static void take_codes(SpreadFlow *f, uint16_t *code)
{
    chances_close(&f->chances);
    mem_free(f->val);
    f->val = NULL;
    f->code = code;
    f->flow.val = NULL;
    f->flow.code = code;
    f->flow.chance = f->chances.value;
}

PepaStatus spread_flow_compact(SpreadFlow *f, const Chain *chain, PepaMatrixForm form,
                               PepaError *err)
{
    const PepaProcesses *p = chain->spread->processes;
    const double each = (double)chain->spread->transitions / p->count;
    uint16_t *code = NULL;
    if (form == PEPA_MATRIX_EXPLICIT || (form == PEPA_MATRIX_AUTO && each < MANY_ENTRIES))
        return PEPA_OK;
    const bool ok = mem_new(code, f->row[f->flow.n]) && chances_init(&f->chances);
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    const bool few = status == PEPA_OK && processes_count(p, !find_codes(f, code)) == 0;
    if (few) {
        take_codes(f, code);
    } else {
        chances_free(&f->chances);
        mem_free(code);
    }
    return status == PEPA_OK && !few && form == PEPA_MATRIX_COMPACT ? chances_too_many(err)
                                                                    : status;
}
