#include <criterion/criterion.h>

#include "serve/tables.h"

Test(tables, the_last_ones_are_kept)
{
    Tables tables = {0};
    for (int64_t id = 1; id <= TABLES_MOST + 2; id++) {
        Spool spool;
        cr_assert(spool_new(&spool, 100, true));
        for (int64_t i = 0; i < id; i++)
            cr_assert(spool_add(&spool, "x\n", 2));
        tables_keep(&tables, id, &spool);
        cr_assert_eq(spool.fd, -1);
    }
    for (int64_t id = 0; id <= TABLES_MOST + 3; id++) {
        const Spool *spool = tables_find(&tables, id);
        const bool kept = id > 2 && id <= TABLES_MOST + 2;
        cr_assert_eq(spool != NULL, kept, "%lld", (long long)id);
        if (kept)
            cr_assert_eq(spool->lines, (size_t)id);
    }
    tables_free(&tables);
    cr_assert_null(tables_find(&tables, TABLES_MOST));
}
