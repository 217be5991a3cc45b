/* Const objects may be shared by threads, and there is no global state: threads use the libraries
 * at once, on objects that they share, and must see what one thread alone sees, to the last digit.
 * Under ThreadSanitizer (`make tsan`) every access that is not ordered is reported as well.  A
 * program of its own because the test runner does not survive that. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "team.h"

/* FNV-1a. */
void digest_bytes(Digest *digest, const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < length; i++)
        *digest = (*digest ^ p[i]) * 1099511628211u;
}

void digest_text(Digest *digest, const char *text)
{
    digest_bytes(digest, text, strlen(text) + 1);
}

void digest_number(Digest *digest, double number)
{
    digest_bytes(digest, &number, sizeof number);
}

void digest_finding(void *digest, const PepaDiagnostic *each)
{
    digest_text(digest, each->message);
    digest_text(digest, each->excerpt);
}

void need_at(bool so, const char *what, const char *file, int line, const PepaError *err)
{
    if (so)
        return;
    (void)fprintf(stderr, "%s:%d: not so: %s%s%s\n", file, line, what, err ? ": " : "",
                  err ? err->message : "");
    exit(1);
}

typedef struct {
    Act *act;
    void *shared;
    pthread_barrier_t *start;
    int number;
    pthread_t thread;
    Digest digest;
} Member;

static void *take_part(void *argument)
{
    Member *member = argument;
    member->digest = DIGEST_START;
    (void)pthread_barrier_wait(member->start);
    member->act(member->shared, member->number, &member->digest);
    return NULL;
}

static void run(Act *act, char *shared, size_t stride, Digest digests[TEAM])
{
    Member members[TEAM];
    pthread_barrier_t start;
    need(pthread_barrier_init(&start, NULL, TEAM) == 0, NULL);
    for (int m = 0; m < TEAM; m++) {
        members[m] = (Member){act, shared + (size_t)m * stride, &start, m, 0, 0};
        need(pthread_create(&members[m].thread, NULL, take_part, &members[m]) == 0, NULL);
    }
    for (int m = 0; m < TEAM; m++) {
        need(pthread_join(members[m].thread, NULL) == 0, NULL);
        digests[m] = members[m].digest;
    }
    need(pthread_barrier_destroy(&start) == 0, NULL);
}

static void compare(const char *name, Digest wanted, const Digest digests[TEAM])
{
    for (int m = 0; m < TEAM; m++) {
        if (digests[m] == wanted)
            continue;
        (void)fprintf(stderr, "threads: %s: thread %d saw something else\n", name, m);
        exit(1);
    }
    (void)printf("threads: %s\n", name);
}

void team_run(const char *name, Act *act, void *shared)
{
    Digest alone = DIGEST_START, digests[TEAM];
    act(shared, 0, &alone);
    run(act, shared, 0, digests);
    compare(name, alone, digests);
}

void team_each(const char *name, Act *act, void *things, size_t size)
{
    Digest digests[TEAM];
    run(act, things, size, digests);
    compare(name, digests[0], digests);
}

int main(void)
{
    share_models();
    share_measures();
    share_experiments();
    share_simulations();
    share_mappings();
    (void)printf("threads: %d threads share models, chains and descriptions and see the same\n",
                 TEAM);
    return 0;
}
