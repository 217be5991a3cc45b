#include "base/processes.h"

#include <string.h>

#include "base/mem.h"

PepaStatus processes_agree(const PepaProcesses *p, PepaStatus status, PepaError *err)
{
    if (!p)
        return status;
    double worst = status == PEPA_OK ? 0 : (double)status * p->count + p->rank;
    p->largest(p->user, &worst, 1);
    if (worst == 0 || status != PEPA_OK)
        return status;
    const int32_t other = (int32_t)worst / p->count, process = (int32_t)worst % p->count;
    return error_set(err, (PepaStatus)other, "process %d: %s", process,
                     pepa_status_text((PepaStatus)other));
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

bool processes_talk(const PepaProcesses *p)
{
    for (size_t i = 0; i < sizeof p->reserved / sizeof *p->reserved; i++)
        if (p->reserved[i] != 0)
            return false;
    return p->count > 0 && p->rank >= 0 && p->rank < p->count && p->sum && p->largest && p->open &&
           p->start && p->finish && p->close && p->deal && p->take && p->poll && p->swap;
}
