/* The text of a model that a file of bench writes: of families.awk, or of those in structures. */
#ifndef PEPA_TESTS_FAMILY_TEXT_H
#define PEPA_TESTS_FAMILY_TEXT_H

#include <criterion/criterion.h>
#include <stdio.h>

/* What `awk -f bench/WHAT` writes.  The text is good until the next call. */
static inline const char *bench_text(const char *what)
{
    static char text[1 << 18];
    char command[256];
    (void)snprintf(command, sizeof command, "awk -f bench/%s", what);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    text[fread(text, 1, sizeof text - 1, pipe)] = 0;
    cr_assert_eq(pclose(pipe), 0, "%s", command);
    return text;
}

/* family: "tandem 5". */
static inline const char *family_text(const char *family)
{
    char what[128];
    (void)snprintf(what, sizeof what, "families.awk %s", family);
    return bench_text(what);
}

#endif
