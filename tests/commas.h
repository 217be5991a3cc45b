/* A locale with decimal commas for tests, made here: a system need not have one. */
#ifndef TESTS_COMMAS_H
#define TESTS_COMMAS_H

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void write_file(const char *name, const char *text)
{
    FILE *to = fopen(name, "w");
    cr_assert(to && fputs(text, to) >= 0 && fclose(to) == 0);
}

/* The numbers of this process have commas from now on. */
static inline void use_decimal_commas(void)
{
    char folder[] = "/tmp/commas-XXXXXX", here[4096], digits[8];
    cr_assert(getcwd(here, sizeof here) && mkdtemp(folder) && chdir(folder) == 0);
    write_file("ascii", "<code_set_name> ANSI_X3.4-1968\n<comment_char> %\n<escape_char> /\n"
                        "CHARMAP\n<U0000>..<U007F> /x00 NUL\nEND CHARMAP\n");
    write_file("numbers", "LC_NUMERIC\ndecimal_point \"<U002C>\"\nthousands_sep \"\"\n"
                          "grouping -1\nEND LC_NUMERIC\n");
    /* its status is 1: it warns of what is not there */
    (void)!system("localedef -c -f ./ascii -i numbers ./commas >/dev/null 2>&1");
    (void)setenv("LOCPATH", folder, 1);
    const char *set = setlocale(LC_NUMERIC, "commas");
    (void)!system("rm -rf commas ascii numbers");
    cr_assert(chdir(here) == 0 && rmdir(folder) == 0);
    cr_assert(set, "localedef has made no locale");
    (void)snprintf(digits, sizeof digits, "%.1f", 1.5);
    cr_assert_str_eq(digits, "1,5");
}

#endif
