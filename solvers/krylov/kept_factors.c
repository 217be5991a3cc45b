/* Incomplete factors that several solutions share whose flows have one matrix: the first that wants them makes
 * them, or finds that they fill up too much.  One kind is kept, that of the last solution. */
#include "base/mem.h"
#include "solvers/krylov/krylov.h"

struct FlowFactors {
    Flow flow; /* as of the last solution */
    bool has_made;
    Preconditioner made; /* of `flow` */
    double effort;       /* multiply-adds for a row that these took */
    /* Factors of this kind were refused by these limits. */
    PepaPrecondition refused;
    double most_fill, most_effort, refused_effort;
};

void flow_factors_free(FlowFactors *f)
{
    if (f)
        precondition_free(&f->made);
    mem_free(f);
}

static bool is_kept(PepaPrecondition kind)
{
    return kind == PEPA_PRECONDITION_ILU0 || kind == PEPA_PRECONDITION_ILUT ||
           kind == PEPA_PRECONDITION_BLOCK;
}

/* The factors of the solution at work, or NULL if it keeps none of this kind. */
static FlowFactors *factors_of(const Attempt *try, PepaPrecondition kind)
{
    FlowFactors **kept = try->control->factors;
    if (!kept || !is_kept(kind))
        return NULL;
    if (!*kept)
        *kept = mem_calloc(1, sizeof **kept);
    return *kept;
}

static bool was_refused(const FlowFactors *f, PepaPrecondition kind, const Control *control)
{
    return f->refused == kind && control->fill > 0 && control->fill <= f->most_fill &&
           control->effort > 0 && control->effort <= f->most_effort;
}

bool precondition_take(Preconditioner *out, PepaPrecondition kind, Attempt *try)
{
    FlowFactors *f = factors_of(try, kind);
    if (!f)
        return precondition_new(out, kind, try);
    f->flow = *try->flow;
    if (was_refused(f, kind, try->control)) {
        *out = (Preconditioner){.flow = try->flow, .kind = kind};
        try->effort = f->refused_effort;
        try->status = PEPA_ELIMIT;
        return false;
    }
    if (f->has_made && f->made.kind == kind) {
        *out = f->made;
        precondition_name(kind, try);
        try->effort = f->effort;
        return true;
    }
    precondition_free(&f->made);
    f->has_made = false;
    return precondition_new(out, kind, try);
}

void precondition_return(Preconditioner *m, bool made, const Attempt *try)
{
    FlowFactors *f = factors_of(try, m->kind);
    if (f && !made && try->status == PEPA_ELIMIT) {
        f->refused = m->kind;
        f->most_fill = try->control->fill;
        f->most_effort = try->control->effort;
        f->refused_effort = try->effort;
    }
    if (!f || !made) {
        precondition_free(m);
        return;
    }
    m->flow = m->ilu.flow = &f->flow;
    f->made = *m;
    f->has_made = true;
    f->effort = try->effort;
    f->flow.team = NULL; /* the solution's, as is b */
    f->flow.b = NULL;
    *m = (Preconditioner){0};
}
