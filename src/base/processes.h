/* What processes that share work agree on, and items that they send to each other. */
#ifndef PEPA_BASE_PROCESSES_H
#define PEPA_BASE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "pepa_shared.h"

/* All functions are there, the rank is one, and parts sum to 1. */
bool processes_talk(const PepaProcesses *processes);
/* Is it PEPA_OK in all processes?  Else an error in all of them.  NULL: there is one. */
PepaStatus processes_agree(const PepaProcesses *processes, PepaStatus status, PepaError *err);
/* What part of the work each is to have, in the sum 1, the same in all: what processes->part says, as
 * far as each may use so much memory, 0 for any, of which all together need so many bytes; others have
 * more then, or all by their memory if there is too little.
 *   part  per process, out; NULL: all the same.  The caller frees it */
PepaStatus processes_parts(const PepaProcesses *processes, double need, int64_t memory,
                           double **part, PepaError *err);
/* The sum of these flags over all processes. */
double processes_count(const PepaProcesses *processes, bool flag);

/* Usual number of items to a process at a time: some megabytes in all. */
static inline int32_t post_items_for(const PepaProcesses *processes)
{
    enum { ALL = 1 << 16, FEWEST = 512 };
    return processes->count > ALL / FEWEST ? FEWEST : ALL / processes->count;
}

/* Items of one size, gathered for all processes, which then exchange them at the same time. */
typedef struct {
    const PepaProcesses *processes;
    size_t size;  /* bytes of an item */
    int32_t most; /* items to a process at a time */
    char *sent, *received;
    int64_t *count, *come; /* per process: bytes */
} Post;                    /* starts as {0} */

/* False: memory is out. */
bool post_open(Post *post, const PepaProcesses *processes, size_t size, int32_t most);
void post_free(Post *post);
double post_bytes(const Post *post);

static inline int32_t post_waiting(const Post *post, int32_t process)
{
    return (int32_t)(post->count[process] / (int64_t)post->size);
}
static inline bool post_is_full(const Post *post, int32_t process)
{
    return post_waiting(post, process) == post->most;
}
/* Where the next item for a process, which is not full, is to be written. */
static inline void *post_add(Post *post, int32_t process)
{
    const size_t each = post->size * (size_t)post->most;
    char *item = post->sent + each * (size_t)process + post->count[process];
    post->count[process] += (int64_t)post->size;
    return item;
}

/* All processes call it: what waits is sent, and what others sent is there until the next time. */
void post_swap(Post *post);
static inline int32_t post_come(const Post *post, int32_t process)
{
    return (int32_t)(post->come[process] / (int64_t)post->size);
}
static inline const void *post_items(const Post *post, int32_t process)
{
    return post->received + post->size * (size_t)post->most * (size_t)process;
}

/* What came from a process. */
typedef void PostTask(void *user, int32_t process, const void *items, int32_t count);
/* post_swap, and `task` for what came from each process.  False: no process has more to send.  One
 * that has calls it with `more` each time its post is full; in the end all call it without, until it
 * is false. */
bool post_deliver(Post *post, bool more, PostTask *task, void *user);

#endif
