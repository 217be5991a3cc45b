#include "base/processes.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* What the process that `tells` has to say of its failure goes to all; text: of the size of a message. */
static void tell(const PepaProcesses *p, bool tells, const PepaError *err, char *text,
                 PepaLimit *limit)
{
    enum { SIZE = sizeof err->message, LIMIT = SIZE, COUNT };
    double x[COUNT] = {0};
    for (int i = 0; tells && err && i < SIZE && err->message[i]; i++)
        x[i] = (unsigned char)err->message[i];
    if (tells && err)
        x[LIMIT] = err->limit;
    p->sum(p->user, x, COUNT);
    for (int i = 0; i < SIZE; i++)
        text[i] = (char)(unsigned char)x[i];
    *limit = (PepaLimit)x[LIMIT];
}

PepaStatus processes_agree(const PepaProcesses *p, PepaStatus status, PepaError *err)
{
    char text[sizeof err->message];
    PepaLimit limit;
    if (!p)
        return status;
    double worst = status == PEPA_OK ? 0 : (double)status * p->count + p->rank;
    p->largest(p->user, &worst, 1);
    if (worst == 0)
        return PEPA_OK;
    const int32_t other = (int32_t)worst / p->count, process = (int32_t)worst % p->count;
    tell(p, process == p->rank, err, text, &limit);
    if (status != PEPA_OK)
        return status;
    return error_limit(err, (PepaStatus)other, limit, "process %d: %s", process,
                       text[0] ? text : pepa_status_text((PepaStatus)other));
}

/* Each has what it wants, but at most `most`; where that is less, the others have more, by what they
 * want.  False: all have what they want. */
static bool fill(int32_t count, double *part, const double *most)
{
    double factor = 1, sum = 0;
    for (bool more = true; more;) {
        double rest = 1, others = 0;
        for (int32_t p = 0; p < count; p++) {
            const bool full = part[p] * factor >= most[p];
            rest -= full ? most[p] : 0;
            others += full ? 0 : part[p];
        }
        more = others > 0 && rest > factor * others * (1 + 1e-9);
        factor = more ? rest / others : factor;
    }
    bool changed = false;
    for (int32_t p = 0; p < count; p++) {
        changed = changed || part[p] > most[p];
        part[p] = fmin(part[p] * factor, most[p]);
        sum += part[p];
    }
    for (int32_t p = 0; p < count; p++)
        part[p] /= sum;
    return changed;
}

PepaStatus processes_parts(const PepaProcesses *p, double need, int64_t memory, double **part,
                           PepaError *err)
{
    double *out = NULL, *most = NULL;
    const bool ok = mem_new(out, p->count) && mem_new_zeroed(most, p->count);
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK) {
        for (int32_t k = 0; k < p->count; k++)
            out[k] = p->part ? p->part[k] : 1.0 / p->count;
        most[p->rank] = memory > 0 ? (double)memory / need : HUGE_VAL;
        p->largest(p->user, most, p->count);
        if (!fill(p->count, out, most) && !p->part) {
            mem_free(out);
            out = NULL;
        }
    }
    mem_free(most);
    *part = out;
    return status;
}

double processes_count(const PepaProcesses *p, bool flag)
{
    double count = flag;
    p->sum(p->user, &count, 1);
    return count;
}

bool post_open(Post *post, const PepaProcesses *processes, size_t size, int32_t most)
{
    const size_t count = (size_t)processes->count, each = size * (size_t)most;
    *post = (Post){.processes = processes, .size = size, .most = most};
    if (mem_new(post->sent, count * each) && mem_new(post->received, count * each) &&
        mem_new_zeroed(post->count, count) && mem_new_zeroed(post->come, count))
        return true;
    post_free(post);
    return false;
}

void post_free(Post *post)
{
    mem_free_all(post->sent, post->received, post->count, post->come);
    *post = (Post){0};
}

double post_bytes(const Post *post)
{
    return 2.0 * (double)post->size * post->most * (post->processes ? post->processes->count : 0);
}

void post_swap(Post *post)
{
    const PepaProcesses *p = post->processes;
    p->swap(p->user, post->sent, post->count, post->received, post->come,
            (int64_t)post->size * post->most);
    memset(post->count, 0, (size_t)p->count * sizeof *post->count);
}

bool post_deliver(Post *post, bool more, PostTask *task, void *user)
{
    post_swap(post);
    for (int32_t p = 0; p < post->processes->count; p++)
        task(user, p, post_items(post, p), post_come(post, p));
    return processes_count(post->processes, more) > 0;
}

static bool parts_sum_to_one(const PepaProcesses *p)
{
    double sum = 0;
    for (int32_t k = 0; k < p->count && p->part; k++) {
        if (!(p->part[k] > 0))
            return false;
        sum += p->part[k];
    }
    return !p->part || fabs(sum - 1) < 1e-6;
}

bool processes_talk(const PepaProcesses *p)
{
    return p->count > 0 && p->rank >= 0 && p->rank < p->count && p->sum && p->largest && p->open &&
           p->start && p->finish && p->close && p->deal && p->take && p->poll && p->swap &&
           p->latency >= 0 && p->byte >= 0 && parts_sum_to_one(p);
}
