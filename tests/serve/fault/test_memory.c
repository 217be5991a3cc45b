/* Memory that runs out while a request is read, a job starts or its output is kept: an error in words, or
 * the same result as ever; nothing is lost. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "fault/memory.h"
#include "serve/job.h"
#include "serve/request.h"
#include "serve/spool.h"
#include "serve/tables.h"

void *failing_malloc(size_t size);

static const char json[] =
    "{\"command\":\"walk\",\"text\":\"P = (a, 1).P; P\",\"options\":[[\"json\"],[\"seed\","
    "\"2\"],[\"define\",\"r=1\"]],\"lines\":[\"1\",\"b\"]}";

Test(memory, a_request_is_read_or_refused_in_words)
{
    bool failed = true;
    int64_t k = 0;
    json_set_alloc_funcs(failing_malloc, free);
    while (failed) {
        Request request;
        const char *why = NULL;
        mem_fail_at(++k, false);
        const bool read = request_read(&request, json, sizeof json - 1, &why);
        failed = mem_allocations() >= k;
        mem_fail_at(0, false);
        cr_assert(read || failed);
        if (read) {
            cr_assert_eq(request.words, 7);
            cr_assert_str_eq(request.lines, "1\nb\n");
        } else {
            /* A token that jansson has no memory for is a wrong one to it. */
            cr_assert(strcmp(why, "out of memory") == 0 ||
                          strcmp(why, "the request is no JSON object") == 0,
                      "allocation %lld: %s", (long long)k, why);
        }
        request_free(&request);
    }
    cr_assert_gt(k, 20);
}

Test(memory, lines_that_cannot_be_noted_are_an_error)
{
    Spool spool;
    cr_assert(spool_new(&spool, 1000, true));
    mem_fail_at(1, true);
    cr_assert_not(spool_add(&spool, "a\n", 2));
    mem_fail_at(0, false);
    cr_assert_eq(spool.length, 0);
    cr_assert(spool_add(&spool, "b\n", 2));
    cr_assert_eq(spool_line(&spool, 0), 0);
    spool_free(&spool);
}
