/* Output of a job, kept in a file without a name: it goes when the program ends.  Lines can be found
 * by their numbers. */
#ifndef PEPA_SERVE_SPOOL_H
#define PEPA_SERVE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int fd; /* -1: none */
    int64_t length, most;
    int64_t *line; /* where each begins; NULL without `lines` */
    size_t lines, cap;
    bool by_lines;
} Spool;

/* An empty one that takes `most` bytes.  False: no file can be made; errno says why. */
bool spool_new(Spool *spool, int64_t most, bool by_lines);
/* Whether it may take so many bytes more. */
bool spool_takes(const Spool *spool, size_t count);
/* Add bytes.  False: it may not take them, or they cannot be kept: disk or memory is full. */
bool spool_add(Spool *spool, const char *bytes, size_t count);
/* Up to `count` bytes from `at` on; how many, 0 at the end, -1: it cannot be read. */
int64_t spool_read(const Spool *spool, int64_t at, char *to, size_t count);
/* Where line `number` begins, from 0; the end of all for others. */
int64_t spool_line(const Spool *spool, size_t number);
/* The spool is empty afterwards, and what it had is the caller's. */
Spool spool_take(Spool *spool);
void spool_free(Spool *spool);

#endif
