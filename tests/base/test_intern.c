#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/intern.h"

Test(intern, ids_count_up_in_order_of_appearance_and_stay)
{
    Intern names = {0};
    char name[32];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 5000; i++) {
            int n = snprintf(name, sizeof name, "name%d", i);
            cr_assert_eq(intern_put(&names, name, (size_t)n), i);
        }
    cr_assert_eq(names.count, 5000);
    cr_assert_str_eq(names.names[4999], "name4999");
    cr_assert_eq(intern_find(&names, "name17", 6), 17);
    cr_assert_eq(intern_find(&names, "name", 4), -1);
    intern_free(&names);
}

/* A name of 16 bytes, and its first 8 bytes, of one hash. */
Test(intern, a_name_is_not_the_beginning_of_another)
{
    Intern names = {0};
    char name[16] = "beginning";
    uint64_t word;
    memcpy(&word, name, sizeof word);
    word ^= 8 ^ hash_mix(16, word);
    memcpy(name + 8, &word, sizeof word);
    cr_assert_null(memchr(name, 0, sizeof name));
    cr_assert_eq(hash_bytes(name, 8), hash_bytes(name, 16));
    cr_assert_eq(intern_put(&names, name, 16), 0);
    cr_assert_eq(intern_find(&names, name, 8), -1);
    cr_assert_eq(intern_put(&names, name, 8), 1);
    cr_assert_eq(intern_find(&names, name, 16), 0);
    cr_assert_eq(intern_find(&names, name, 8), 1);
    intern_free(&names);
}

Test(intern, an_empty_table_holds_nothing)
{
    Intern names = {0};
    cr_assert_eq(intern_find(&names, "x", 1), -1);
    intern_free(&names);
}

Test(intern, distance_counts_edits)
{
    static const struct {
        const char *a, *b;
        int distance;
    } cases[] = {{"Server", "Sever", 1},   {"Server", "Server", 0},
                 {"Server", "Servre", 1},  {"abc", "", 3},
                 {"kitten", "sitting", 3}, {"flaw", "lawn", 2},
                 {"Client", "Clinet", 1},  {"a", "b", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(name_distance(cases[i].a, cases[i].b, 9), cases[i].distance, "%s %s",
                     cases[i].a, cases[i].b);
        cr_assert_eq(name_distance(cases[i].b, cases[i].a, 9), cases[i].distance);
    }
    cr_assert_eq(name_distance("abcdefgh", "zyxwvuts", 3), 3, "no more than asked for");
}

enum { SHORT = 8 };

/* The whole table of the optimal string alignment distance. */
static int whole_table(const char *a, const char *b)
{
    int d[SHORT + 1][SHORT + 1];
    const int m = (int)strlen(a), n = (int)strlen(b);
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++) {
            d[i][j] = i == 0 ? j : j == 0 ? i : d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (i > 0 && j > 0 && d[i - 1][j] + 1 < d[i][j])
                d[i][j] = d[i - 1][j] + 1;
            if (i > 0 && j > 0 && d[i][j - 1] + 1 < d[i][j])
                d[i][j] = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    return d[m][n];
}

/* The number-th word of three letters, up to SHORT of them. */
static void word(uint32_t number, char *text)
{
    size_t length = number % (SHORT + 1);
    for (size_t i = 0; i < length; i++, number /= 3)
        text[i] = "abc"[number / 9 % 3];
    text[length] = '\0';
}

Test(intern, distance_is_that_of_the_whole_table)
{
    uint32_t random = 1;
    for (int k = 0; k < 200000; k++) {
        char a[SHORT + 1], b[SHORT + 1];
        random = random * 1664525 + 1013904223;
        word(random >> 12, a);
        random = random * 1664525 + 1013904223;
        word(random >> 12, b);
        const int most = k % 6, exact = whole_table(a, b);
        cr_assert_eq(name_distance(a, b, most), exact < most ? exact : most, "%s %s %d", a, b,
                     most);
    }
}

/* Up to 2 edits, 1 in a name of three letters, none in a shorter one; capitals are no edits. */
Test(intern, suggests_what_is_near)
{
    static const char *const names[] = {"Server", "abc", "xy", "SERVE"};
    static const struct {
        const char *name, *near;
    } cases[] = {{"Sever", "Server"}, {"SERVER", "Server"}, {"serve", "SERVE"}, {"ABC", "abc"},
                 {"abd", "abc"},      {"ade", NULL},        {"xz", NULL},       {"XY", "xy"},
                 {"xy", NULL},        {"Clients", NULL},    {"", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *near = suggest(cases[i].name, names, sizeof names / sizeof *names);
        if (cases[i].near)
            cr_expect_str_eq(near, cases[i].near, "%s", cases[i].name);
        else
            cr_expect_null(near, "%s: %s", cases[i].name, near);
    }
}
