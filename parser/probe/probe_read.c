/* Reads a probe: scanner and grammar. */
#include "parser/probe/scanning.h"
#include "probe.tab.h"

static void read_all(ProbeReading *ctx)
{
    if (setjmp(ctx->scan.failed) != 0) {
        ctx->failed = true;
        return;
    }
    probe_begin(ctx);
    (void)probe_yyparse(ctx);
}

PepaStatus probe_read(Probe *probe, const Source *source, DiagList *diags)
{
    const size_t errors = diags->errors;
    ProbeReading ctx = {.scan.source = source, .diags = diags, .probe = probe};
    read_all(&ctx);
    arena_free(&ctx.scan.arena);
    return ctx.failed || diags->no_memory ? PEPA_ENOMEM
           : diags->errors == errors      ? PEPA_OK
                                          : PEPA_EARG;
}

void probe_free(Probe *probe)
{
    mem_free(probe->nodes);
    intern_free(&probe->actions);
    arena_free(&probe->arena);
    *probe = (Probe){0};
}
