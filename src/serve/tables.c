/* Outputs that the server keeps (tables.h). */
#include "serve/tables.h"

void tables_keep(Tables *tables, int64_t id, Spool *spool)
{
    int oldest = 0;
    for (int i = 1; i < TABLES_MOST; i++)
        if (tables->each[i].id < tables->each[oldest].id)
            oldest = i;
    if (tables->each[oldest].id > 0)
        spool_free(&tables->each[oldest].spool);
    tables->each[oldest].id = id;
    tables->each[oldest].spool = spool_take(spool);
}

const Spool *tables_find(const Tables *tables, int64_t id)
{
    for (int i = 0; i < TABLES_MOST; i++)
        if (id > 0 && tables->each[i].id == id)
            return &tables->each[i].spool;
    return NULL;
}

void tables_free(Tables *tables)
{
    for (int i = 0; i < TABLES_MOST; i++)
        if (tables->each[i].id > 0)
            spool_free(&tables->each[i].spool);
    *tables = (Tables){0};
}
