/* What an example works on: whole numbers among its arguments, which may be left out from the end. */
#ifndef ARGUMENT_H
#define ARGUMENT_H

#include <gum.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const char *name;
    int64_t least, most, otherwise; /* otherwise: if it is not given */
} Number;

static int read_number(const char *text, const Number *number, int64_t *out)
{
    char *end;
    *out = strtoll(text, &end, 10); /* what is beyond is the largest, and so too large */
    return end != text && !*end && *out >= number->least && *out <= number->most;
}

/* number[0 .. count - 1]: the first arguments, of at most `words`; out: theirs.  If one is wrong, process 0
 * prints what is needed, and all processes exit with status 2.  Call it after gum_init. */
static void arguments(int argc, char **argv, const char *usage, int words, const Number *number,
                      int count, int64_t *out)
{
    int good = argc <= words + 1;
    for (int i = 0; i < count && good; i++) {
        out[i] = number[i].otherwise;
        good = i + 1 >= argc || read_number(argv[i + 1], &number[i], &out[i]);
    }
    if (good)
        return;
    if (gum_pid() == 0) {
        fprintf(stderr, "usage: %s\n", usage);
        for (int i = 0; i < count; i++)
            fprintf(stderr, "  %s: a whole number from %lld to %lld; without it %lld\n",
                    number[i].name, (long long)number[i].least, (long long)number[i].most,
                    (long long)number[i].otherwise);
    }
    gum_end();
    exit(2);
}

#endif
