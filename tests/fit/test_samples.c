/* Durations read from texts, and what is said about wrong ones. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "pepa_fit.h"

typedef struct {
    char text[4096];
    int count;
} Said;

static void say(void *user, const PepaDiagnostic *d)
{
    Said *s = user;
    const size_t at = strlen(s->text);
    (void)snprintf(s->text + at, sizeof s->text - at, "%u:%u: %s\n", d->line, d->column,
                   d->message);
    s->count++;
}

static void reads(const char *text, const char *column, size_t count, const double *value)
{
    PepaSamples *s = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_samples_parse(&s, "f", text, strlen(text), column, NULL, NULL, &err), PEPA_OK,
                 "%s: %s", text, err.message);
    cr_assert_eq(pepa_samples_count(s), count, "%s", text);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(pepa_samples_values(s)[i], value[i]);
    pepa_samples_free(s);
}

Test(samples, numbers_are_read)
{
    const double value[] = {1, 2.5, 0.003};
    reads("1\n2.5\n3e-3\n", NULL, 3, value);
    reads("time\r\n1\r\n2.5\r\n3e-3", NULL, 3, value);
    reads("\xEF\xBB\xBF# durations\n\n 1 # one\n+2.5\n.003\n", NULL, 3, value);
    reads("a,time\n9,1\n9,2.5\n9,0.003\n", "time", 3, value);
    reads("a,\"time\"\n9,\"1\"\n\"9,9\",2.5\n9,0.003\n", "time", 3, value);
    reads("a,time\n9,1\n9,2.5\n9,0.003\n", "2", 3, value);
    reads("9,1\n9,2.5\n9,0.003\n", "2", 3, value);
}

static void refuses(const char *text, const char *column, uint32_t line, uint32_t at,
                    const char *part)
{
    PepaSamples *s = NULL;
    Said said = {.count = 0};
    PepaError err = {0};
    cr_assert_eq(pepa_samples_parse(&s, "f", text, strlen(text), column, say, &said, &err),
                 PEPA_ESYNTAX, "%s", text);
    cr_assert_null(s);
    cr_assert(err.line == line && err.column == at, "%s: %s", text, said.text);
    cr_assert(strstr(said.text, part), "%s: %s", text, said.text);
}

Test(samples, wrong_ones_are_named_with_their_places)
{
    refuses("1\n-2\n", NULL, 2, 1, "not above 0");
    refuses("1\n 0.0\n", NULL, 2, 2, "not above 0");
    refuses("nan\n", NULL, 1, 1, "no duration");
    refuses("1\ninf\n", NULL, 2, 1, "no duration");
    refuses("1\n1e999\n", NULL, 2, 1, "another unit");
    refuses("1\n0x10\n", NULL, 2, 1, "no duration");
    refuses("1\n1.2.3\n", NULL, 2, 1, "no duration");
    refuses("1,5\n", NULL, 1, 1, "several columns");
    refuses("1\n2,5\n", NULL, 2, 1, "no duration");
    refuses("a,b\n1,2\n", "c", 1, 1, "no column `c`");
    refuses("1,2\n3\n", "2", 2, 1, "which has 1");
    refuses("1,2\n3,\n", "2", 2, 3, "no duration here");
    refuses("1\n\x7F"
            "ELF\x02\n",
            NULL, 2, 1, "byte 0x7F is no text");
    refuses("1\n2\t\x80\x81\n", NULL, 2, 3, "byte 0x80 is no text");
    refuses("1\n2\t3\n", NULL, 2, 1, "`2\t3` is no duration");
    refuses("1\n\xD9\xA3\n", NULL, 2, 1, "`\xD9\xA3` is no duration");
    refuses("", NULL, 0, 0, "no durations");
    refuses("# nothing\n", NULL, 0, 0, "no durations");
    refuses("time\n", NULL, 0, 0, "no durations");
}

Test(samples, all_errors_are_found_up_to_a_number)
{
    char text[400] = "1\n";
    PepaSamples *s = NULL;
    Said said = {.count = 0};
    for (int i = 0; i < 60; i++)
        strcat(text, "x\n");
    cr_assert_eq(pepa_samples_parse(&s, "f", text, strlen(text), NULL, say, &said, NULL),
                 PEPA_ESYNTAX);
    cr_assert_eq(said.count, 21);
}

Test(samples, misuse_is_an_error)
{
    PepaSamples *s = NULL;
    cr_assert_eq(pepa_samples_parse(NULL, "f", "1", 1, NULL, NULL, NULL, NULL), PEPA_EARG);
    cr_assert_eq(pepa_samples_parse(&s, "f", NULL, 1, NULL, NULL, NULL, NULL), PEPA_EARG);
    cr_assert_eq(pepa_samples_load(&s, "/nowhere/at/all", NULL, NULL, NULL, NULL), PEPA_EIO);
    cr_assert_null(s);
}
