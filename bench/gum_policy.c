/* What a decision of each policy costs, whom to ask and what to give, for numbers of processes.
 *
 *   make bench-gum-policy */
#include <stdio.h>
#include <time.h>

#include "grid/gum/policy/draw.h"
#include "grid/gum/policy/policy.h"

static double spent(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Two clusters, some processes idle, some with sparks, all heard of at some time. */
static int fill(Tables *t, int32_t size, uint64_t *chance)
{
    enum { CLUSTER = 6, MOST = 20 };
    if (tables_new(t, size, 0))
        return -1;
    for (int32_t p = 0; p < size; p++) {
        t->fixed[p] = (PeStatic){.speed = 1 + p % 3, .cluster = p % CLUSTER == 5};
        t->communication[p].latency = p % CLUSTER == 5 ? 0.0358 : 0.0002;
        t->dynamic[p].stamp = 0.01 * policy_draw(chance, 100);
        t->dynamic[p].sparks = policy_draw(chance, 2) ? policy_draw(chance, MOST) : 0;
        t->dynamic[p].threads = policy_draw(chance, 3);
    }
    t->clusters = 2;
    t->dynamic[0].stamp = 1;
    t->dynamic[0].sparks = 5;
    t->task = 0.01;
    return 0;
}

/* Nobody has sparks, and a task of each process may run twice. */
static void end(Tables *t, uint64_t *chance)
{
    t->repeats = 1;
    for (int32_t p = 0; p < t->size; p++) {
        t->dynamic[p].sparks = 0;
        t->dynamic[p].began = 1 - 1e-4 * policy_draw(chance, 100);
    }
    t->fixed[0].speed = 4;
    for (int i = 0; i < 10000; i++)
        tables_add_length(t, 1e-4 * (1 + policy_draw(chance, 1000)));
}

/* Prints both. */
static int64_t time_of(const Policy *policy, Tables *t, uint64_t *chance)
{
    enum { TIMES = 20000 };
    int64_t sum = 0;
    double begun = spent();
    for (int r = 0; r < TIMES; r++)
        sum += policy_target(policy, t, 0, REACH_ALL, chance);
    double asked = spent();
    for (int r = 0; r < TIMES; r++) {
        const Fish fish = {1 + r % (t->size - 1), 0, 0, REACH_ALL};
        sum += policy_answer(policy, t, &fish, chance).sparks;
    }
    printf(" %7.0f %7.0f", 1e9 * (asked - begun) / TIMES, 1e9 * (spent() - asked) / TIMES);
    return sum;
}

int main(void)
{
    static const int32_t sizes[] = {7, 41, 200};
    uint64_t chance = 1;
    int64_t sum = 0;
    printf("nanoseconds: whom to ask, what to answer\n%-16s", "processes");
    for (int i = 0; i < 3; i++)
        printf(" %15d", (int)sizes[i]);
    for (int k = 0; k <= POLICIES; k++) {
        const int ends = k == POLICIES;
        const Policy policy = {.name = ends ? POLICY_PREDICTED : (PolicyName)k,
                               .age_limit = 1000000};
        printf("\n%-16s", ends ? "  at the end" : policy_text((PolicyName)k));
        for (int i = 0; i < 3; i++) {
            Tables t;
            if (fill(&t, sizes[i], &chance))
                return 1;
            if (ends)
                end(&t, &chance);
            sum += time_of(&policy, &t, &chance);
            tables_free(&t);
        }
    }
    printf("\n");
    return sum < 0;
}
