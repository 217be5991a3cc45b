/* The text of a model of the benchmarks' families (bench/families.awk). */
#ifndef PEPA_TESTS_FAMILY_TEXT_H
#define PEPA_TESTS_FAMILY_TEXT_H

#include <criterion/criterion.h>
#include <stdio.h>

/* what: "tandem 5".  The text is good until the next call. */
static inline const char *family_text(const char *what)
{
    static char text[1 << 18];
    char command[256];
    (void)snprintf(command, sizeof command, "awk -f bench/families.awk %s", what);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    text[fread(text, 1, sizeof text - 1, pipe)] = 0;
    cr_assert_eq(pclose(pipe), 0, "%s", command);
    return text;
}

#endif
