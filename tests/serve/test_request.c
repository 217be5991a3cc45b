#include <criterion/criterion.h>
#include <string.h>

#include "serve/request.h"

static const char *words_of(const char *json)
{
    static char joined[4096];
    Request request;
    const char *why = NULL;
    joined[0] = '\0';
    cr_assert(request_read(&request, json, strlen(json), &why), "%s", why);
    for (int i = 0; i < request.words; i++)
        (void)strcat(strcat(joined, i ? " " : ""), request.word[i]);
    cr_assert_null(request.word[request.words]);
    request_free(&request);
    return joined;
}

static void refuses(const char *json)
{
    Request request;
    const char *why = NULL;
    cr_assert_not(request_read(&request, json, strlen(json), &why), "%s", json);
    cr_assert_not_null(why);
    cr_assert(why[0]);
    request_free(&request);
}

Test(request, words_are_those_of_the_command)
{
    cr_assert_str_eq(words_of("{\"command\":\"solve\",\"text\":\"P\"}"), "pepa solve - --no-files");
    cr_assert_str_eq(
        words_of("{\"command\":\"transient\",\"text\":\"P\",\"options\":[[\"until\",\"10\"],"
                 "[\"json\"]]}"),
        "pepa transient - --no-files --until=10 --json");
    cr_assert_str_eq(words_of(
                         "{\"command\":\"amoget\",\"text\":\"P\",\"options\":[[\"top\",\"3\"]]}"),
                     "amoget - --no-include --top=3");
    cr_assert_str_eq(words_of("{\"command\":\"walk\",\"text\":\"P\",\"options\":[[\"json\"]]}"),
                     "pepa walk /dev/fd/3 --no-files --json");
}

Test(request, values_are_joined_to_their_options)
{
    cr_assert_str_eq(
        words_of("{\"command\":\"solve\",\"text\":\"P\",\"options\":[[\"measure\",\"--plot=x\"]]}"),
        "pepa solve - --no-files --measure=--plot=x");
}

Test(request, the_text_and_the_lines_arrive)
{
    const char json[] =
        "{\"command\":\"walk\",\"text\":\"P\\n\",\"lines\":[\"1\",\"b 2\"],\"keep\":true}";
    Request request;
    const char *why;
    cr_assert(request_read(&request, json, sizeof json - 1, &why));
    cr_assert_eq(request.length, 2);
    cr_assert_str_eq(request.text, "P\n");
    cr_assert_str_eq(request.lines, "1\nb 2\n");
    cr_assert_eq(request.lines_length, 6);
    cr_assert(request.keep);
    request_free(&request);
}

Test(request, options_that_name_files_are_none)
{
    static const char *const names[] = {"measures",   "plot",   "output", "hosts",
                                        "checkpoint", "resume", "every",  "memory",
                                        "threads",    "help",   "o",      ""};
    static const char *const commands[] = {"solve",      "check", "states",  "transient",
                                           "simulate",   "fluid", "passage", "sensitivity",
                                           "experiment", "graph", "walk",    "amoget"};
    char json[200];
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            (void)snprintf(json, sizeof json,
                           "{\"command\":\"%s\",\"text\":\"\",\"options\":[[\"%s\",\"x\"]]}",
                           commands[c], names[n]);
            refuses(json);
        }
}

Test(request, other_shapes_are_refused)
{
    static const char *const wrong[] =
        {"",
         "[]",
         "{",
         "{\"command\":\"solve\"}",
         "{\"command\":\"compare\",\"text\":\"\"}",
         "{\"command\":\"lsp\",\"text\":\"\"}",
         "{\"command\":\"serve\",\"text\":\"\"}",
         "{\"command\":\"solve\",\"command\":\"check\",\"text\":\"\"}",
         "{\"command\":\"solve\",\"text\":\"\",\"options\":1}",
         "{\"command\":\"solve\",\"text\":\"\",\"options\":[[]]}",
         "{\"command\":\"solve\",\"text\":\"\",\"options\":[[\"json\",\"1\"]]}",
         "{\"command\":\"solve\",\"text\":\"\",\"options\":[[\"measure\",1]]}",
         "{\"command\":\"solve\",\"text\":\"\",\"options\":[[\"measure\",\"a\",\"b\"]]}",
         "{\"command\":\"solve\",\"text\":\"\",\"lines\":[]}",
         "{\"command\":\"walk\",\"text\":\"\",\"lines\":[\"a\\nb\"]}",
         "{\"command\":\"walk\",\"text\":\"\",\"lines\":\"a\"}",
         "{\"command\":\"solve\",\"text\":\"a\\u0000b\"}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuses(wrong[i]);
}

Test(request, a_long_request_is_refused_before_it_is_read)
{
    Request request;
    const char *why;
    cr_assert_not(request_read(&request, "", (size_t)REQUEST_MOST_BYTES + 1, &why));
    cr_assert_str_eq(why, "the request is too long");
    request_free(&request);
}
