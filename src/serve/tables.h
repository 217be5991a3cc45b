/* Outputs that the server keeps for a page, which reads them in parts: the last few. */
#ifndef PEPA_SERVE_TABLES_H
#define PEPA_SERVE_TABLES_H

#include <stddef.h>

#include "serve/spool.h"

enum { TABLES_MOST = 4 };

typedef struct {
    struct {
        int64_t id; /* 0: none */
        Spool spool;
    } each[TABLES_MOST];
} Tables;

/* Keep it under a number > 0, in place of the oldest; the spool is empty afterwards. */
void tables_keep(Tables *tables, int64_t id, Spool *spool);
/* NULL: it is not kept, or no longer. */
const Spool *tables_find(const Tables *tables, int64_t id);
void tables_free(Tables *tables);

#endif
