/* Runs checks of BSPlib: conform [NAME...].  Each prints a line only if it fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conform.h"

static int failures;
static const char *running = "";

void expect(int holds, const char *file, int line, const char *what)
{
    if (holds)
        return;
    failures++;
    (void)fprintf(stderr, "%s:%d: %s: process %d of %d: not %s\n", file, line, running, bsp_pid(),
                  bsp_nprocs(), what);
}

int right(void)
{
    return (bsp_pid() + 1) % bsp_nprocs();
}

int left(void)
{
    return (bsp_pid() + bsp_nprocs() - 1) % bsp_nprocs();
}

void area(void *address, int size)
{
    bsp_push_reg(address, size);
    bsp_sync();
}

void done(const void *address)
{
    bsp_pop_reg(address);
    bsp_sync();
}

static int wanted(const char *name, char **names)
{
    for (char **each = names; *each; each++)
        if (strcmp(*each, name) == 0)
            return 1;
    return !*names;
}

/* The queue is empty, and tags have no size. */
static void expect_clean(void)
{
    int messages, bytes, tag_size = 0;
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    EXPECT(messages == 0 && bytes == 0);
    bsp_set_tagsize(&tag_size);
    EXPECT(tag_size == 0);
}

int main(int argc, char **argv)
{
    static const Check *const all[] = {process_checks, put_checks,   get_checks,   register_checks,
                                       bsmp_checks,    group_checks, random_checks};
    int count = 0;
    (void)argc;
    bsp_begin(bsp_nprocs());
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const Check *each = all[i]; each->name; each++) {
            if (!wanted(each->name, argv + 1))
                continue;
            running = each->name;
            each->run();
            expect_clean();
            count++;
        }
    if (failures > 0)
        bsp_abort("conform: process %d: %d failures", bsp_pid(), failures);
    bsp_sync();
    if (bsp_pid() == 0)
        printf("conform: %d checks hold on %d processes\n", count, bsp_nprocs());
    bsp_end();
    return EXIT_SUCCESS;
}
