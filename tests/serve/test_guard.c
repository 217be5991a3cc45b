#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "serve/guard.h"

static Guard guard_of(int port)
{
    Guard guard;
    cr_assert(guard_new(&guard, "127.0.0.1", port));
    return guard;
}

Test(guard, tokens_are_random_and_hexadecimal)
{
    Guard a = guard_of(8080), b = guard_of(8080);
    cr_assert_eq(strlen(a.token), TOKEN_LENGTH);
    cr_assert_eq(strspn(a.token, "0123456789abcdef"), TOKEN_LENGTH);
    cr_assert_str_neq(a.token, b.token);
}

Test(guard, a_path_needs_every_character_of_the_token)
{
    Guard guard = guard_of(8080);
    char url[80];
    (void)snprintf(url, sizeof url, "/%s/run", guard.token);
    cr_assert_str_eq(guard_path(&guard, url), "run");
    url[TOKEN_LENGTH + 2] = '\0';
    cr_assert_str_eq(guard_path(&guard, url), "");
    for (int i = 0; i < TOKEN_LENGTH + 2; i++) {
        url[i] ^= 1;
        cr_assert_null(guard_path(&guard, url), "character %d", i);
        url[i] ^= 1;
    }
    for (int length = 0; length < TOKEN_LENGTH + 2; length++) {
        char cut[80] = "";
        memcpy(cut, url, (size_t)length);
        cr_assert_null(guard_path(&guard, cut), "%d characters", length);
    }
}

Test(guard, hosts_are_names_of_the_loopback_with_the_port)
{
    Guard guard = guard_of(8080);
    cr_assert(guard_host(&guard, "localhost:8080"));
    cr_assert(guard_host(&guard, "127.0.0.1:8080"));
    const char *const others[] = {"localhost",        "localhost:80",      "127.0.0.1",
                                  "localhost:8080.x", "evil.example:8080", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_not(guard_host(&guard, others[i]), "%s", others[i]);
    cr_assert_not(guard_host(&guard, NULL));
}

Test(guard, port_80_can_be_left_out)
{
    Guard guard = guard_of(80);
    cr_assert(guard_host(&guard, "localhost"));
    cr_assert(guard_host(&guard, "localhost:80"));
    cr_assert(guard_host(&guard, "127.0.0.1"));
}

Test(guard, an_address_of_the_network_is_a_host)
{
    Guard guard;
    cr_assert(guard_new(&guard, "192.168.100.200", 65535));
    cr_assert(guard_host(&guard, "192.168.100.200:65535"));
    cr_assert(guard_host(&guard, "localhost:65535"));
}

Test(guard, origins_are_pages_of_such_hosts)
{
    Guard guard = guard_of(8080);
    cr_assert(guard_origin(&guard, "http://localhost:8080"));
    const char *const others[] = {"null",    "https://localhost:8080", "localhost:8080",
                                  "http://", "http://localhost:8081",  "http://localhost:8080/"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_not(guard_origin(&guard, others[i]), "%s", others[i]);
    cr_assert_not(guard_origin(&guard, NULL));
}
