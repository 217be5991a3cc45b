/* Messages that are too long are cut between characters. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/error.h"

Test(error, cut_between_characters)
{
    static const char *const character[] = {"x", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    for (size_t c = 0; c < sizeof character / sizeof *character; c++)
        for (size_t before = 0; before < 5; before++) {
            const size_t bytes = strlen(character[c]);
            char text[600] = "";
            PepaError err;
            memset(text, '.', before);
            for (size_t i = 0; i < 120; i++)
                strcat(text, character[c]);
            for (size_t more = strlen(text); more < 300; more += bytes)
                strcat(text, character[c]);
            cr_expect_eq(error_set(&err, PEPA_EARG, "%s", text), PEPA_EARG);
            const size_t length = strlen(err.message);
            cr_expect_eq((length - before) % bytes, 0, "%zu bytes of characters of %zu", length,
                         bytes);
            cr_expect(length + bytes > sizeof err.message - 1);
            cr_expect_eq(memcmp(err.message, text, length), 0);
        }
}
