/* bench_chain explore|reach|solve [--no-aggregate] [--threads N] [--digest] MODEL: what the phases
 * take, and a digest by which answers can be compared to the last bit.
 *     explore  the states one by one
 *     reach    the states as sets
 *     solve    the states in whichever way the library chooses, and their long-run distribution
 * Prints one line, members of a JSON object: states, transitions, the seconds of phases by the
 * clock, and if asked the digest of all states, transitions, rates and probabilities that there
 * are. */
#include <pepa.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    const char *task, *model;
    PepaSettings set;
    bool digest;
} Job;

static const struct {
    const char *name;
    PepaExplore explore;
} tasks[] = {{"explore", PEPA_EXPLICIT}, {"reach", PEPA_SYMBOLIC}, {"solve", PEPA_EXPLORE_AUTO}};

static void must(PepaStatus status, const PepaError *err)
{
    if (status == PEPA_OK)
        return;
    (void)fprintf(stderr, "bench_chain: %s\n", err->message);
    exit(1);
}

static void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p) {
        (void)fputs("bench_chain: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- digests: 64 bits of FNV-1a, by words of four bytes -------------------------------------- */

static void put(uint64_t *digest, const void *data, size_t bytes)
{
    const unsigned char *at = data, *end = at + bytes;
    uint32_t word;
    for (; at + sizeof word <= end; at += sizeof word) {
        memcpy(&word, at, sizeof word);
        *digest = (*digest ^ word) * 1099511628211u;
    }
    for (; at < end; at++)
        *digest = (*digest ^ *at) * 1099511628211u;
}

static void put_states(uint64_t *digest, const PepaChain *chain, const PepaChainInfo *info)
{
    PepaError err;
    int32_t *counts = room((size_t)info->counts, sizeof *counts);
    for (int32_t s = 0; s < info->states; s++) {
        must(pepa_chain_state_counts(chain, s, counts, &err), &err);
        put(digest, counts, (size_t)info->counts * sizeof *counts);
    }
    free(counts);
}

/* Of a chain explored one by one. */
static void put_transitions(uint64_t *digest, const PepaChain *chain, const PepaChainInfo *info)
{
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(chain, &t, NULL);
    for (int64_t k = 0; k < info->transitions; k++) {
        int32_t step[] = {t.target[k], pepa_transition_action(&t, k)};
        double rate = pepa_transition_rate(&t, k);
        put(digest, step, sizeof step);
        put(digest, &rate, sizeof rate);
    }
    put(digest, t.row, ((size_t)info->states + 1) * sizeof *t.row);
}

/* ---- the job ----------------------------------------------------------------------------------
 */

static int usage(void)
{
    (void)fputs("usage: bench_chain explore|reach|solve [--no-aggregate] [--threads N] "
                "[--digest] MODEL\n",
                stderr);
    return 2;
}

static bool read_job(Job *job, char **word)
{
    const size_t count = sizeof tasks / sizeof *tasks;
    size_t task = 0;
    *job = (Job){.task = *word++, .set = (PepaSettings){0}};
    while (task < count && job->task && strcmp(job->task, tasks[task].name) != 0)
        task++;
    if (task == count || !job->task)
        return false;
    job->set.derive.explore = tasks[task].explore;
    job->set.derive.max_states = INT32_MAX - 1;
    for (; *word && word[0][0] == '-'; word++) {
        if (strcmp(*word, "--no-aggregate") == 0)
            job->set.derive.separate_copies = 1;
        else if (strcmp(*word, "--digest") == 0)
            job->digest = true;
        else if (strcmp(*word, "--threads") == 0 && word[1])
            job->set.threads = (int)strtol(*++word, NULL, 10);
        else
            return false;
    }
    job->model = *word;
    return word[0] && !word[1];
}

/* The distribution, or NULL. */
static double *answer(const Job *job, const PepaChain *chain, const PepaChainInfo *info)
{
    PepaError err;
    PepaInfo how = {0};
    if (strcmp(job->task, "solve") != 0)
        return NULL;
    double *pi = room((size_t)info->states, sizeof *pi), start = now();
    must(pepa_solve_steady(chain, &job->set, pi, &how, &err), &err);
    (void)printf(", \"solve_s\": %.6f, \"iterations\": %lld, \"method\": \"%s\"", now() - start,
                 (long long)how.iterations, how.method);
    return pi;
}

static uint64_t digest_of(const PepaChain *chain, const PepaChainInfo *info, const double *pi)
{
    uint64_t digest = 14695981039346656037u;
    put_states(&digest, chain, info);
    if (!info->symbolic)
        put_transitions(&digest, chain, info);
    if (pi)
        put(&digest, pi, (size_t)info->states * sizeof *pi);
    return digest;
}

int main(int argc, char **argv)
{
    Job job;
    PepaError err;
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    if (argc < 2 || !read_job(&job, argv + 1))
        return usage();
    must(pepa_model_load(&model, job.model, NULL, &err), &err);
    double start = now();
    must(pepa_chain_derive(&chain, model, &job.set, &err), &err);
    double derived = now() - start;
    PepaChainInfo info = pepa_chain_info(chain);
    (void)printf("\"states\": %lld, \"transitions\": %lld, \"derive_s\": %.6f",
                 (long long)info.states, (long long)info.transitions, derived);
    double *pi = answer(&job, chain, &info);
    if (job.digest)
        (void)printf(", \"digest\": \"%016llx\"", (unsigned long long)digest_of(chain, &info, pi));
    (void)printf("\n");
    free(pi);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return 0;
}
