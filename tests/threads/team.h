/* Several threads that do the same at once, and what they saw. */
#ifndef TESTS_THREADS_TEAM_H
#define TESTS_THREADS_TEAM_H

#include <pepa.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ThreadSanitizer reports what two threads do without an order, in whatever order they do it here: more threads
 * show it nothing new, and take twice as long. */
#ifdef __SANITIZE_THREAD__
enum { TEAM = 2 };
#else
enum { TEAM = 4 };
#endif

/* What was seen, boiled down: equal if and (but for chance) only if every byte was. */
typedef uint64_t Digest;
#define DIGEST_START 14695981039346656037u
void digest_bytes(Digest *digest, const void *bytes, size_t length);
void digest_text(Digest *digest, const char *text);
void digest_number(Digest *digest, double number);
/* What a reader finds, where `digest` is the Digest: for `diagnose`. */
void digest_finding(void *digest, const PepaDiagnostic *each);

/* What one member does with what all share; the digest may depend on nothing but `shared`. */
typedef void Act(void *shared, int member, Digest *digest);

/* One thread alone, then TEAM at once: all must have seen the same. */
void team_run(const char *name, Act *act, void *shared);
/* TEAM at once, as the first of `things` and so on, TEAM of them, `size` bytes each. */
void team_each(const char *name, Act *act, void *things, size_t size);

/* Ends the program with the place and `err` (may be NULL) if something is not so. */
#define need(what, err) need_at((what), #what, __FILE__, __LINE__, (err))
void need_at(bool so, const char *what, const char *file, int line, const PepaError *err);

void share_models(void);
void share_measures(void);
void share_experiments(void);
void share_simulations(void);
void share_mappings(void);

#endif
