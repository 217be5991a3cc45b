/* Any bytes, as a request to pepa serve, as an address and as headers: a request is refused with a
 * reason, or runs one of our programs with options of the table alone. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "serve/allowed.h"
#include "serve/guard.h"
#include "serve/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* "--NAME" or "--NAME=VALUE", and NAME is allowed. */
static void check_option(const AllowedCommand *command, const char *word)
{
    char name[32] = "";
    const size_t length = strcspn(word, "=");
    if (strncmp(word, "--", 2) != 0 || length < 3 || length - 2 >= sizeof name)
        abort();
    memcpy(name, word + 2, length - 2);
    const AllowedOption *option = allowed_option(command, name);
    if (!option || option->value != (word[length] == '='))
        abort();
}

static void check_request(const Request *r)
{
    const AllowedCommand *command = allowed_command(r->command);
    const bool amoget = strcmp(r->program, "amoget") == 0;
    if (!command || strcmp(command->program, r->program) != 0 ||
        (!amoget && strcmp(r->program, "pepa") != 0))
        abort();
    if (r->word[r->words] || r->words > REQUEST_WORDS - 1 || strlen(r->text) != r->length)
        abort();
    const bool fit = strcmp(r->command, "fit") == 0;
    if (strcmp(r->word[0], r->program) != 0 || (!amoget && strcmp(r->word[1], r->command) != 0) ||
        (!fit && strcmp(r->word[amoget ? 2 : 3], amoget ? "--no-include" : "--no-files") != 0))
        abort();
    for (int i = amoget || fit ? 3 : 4; i < r->words; i++)
        check_option(command, r->word[i]);
    size_t breaks = 0;
    for (size_t i = 0; i < r->lines_length; i++)
        breaks += r->lines[i] == '\n';
    if (breaks > REQUEST_MOST_LINES ||
        (r->lines_length > 0 && r->lines[r->lines_length - 1] != '\n'))
        abort();
}

/* No text but the right one opens anything. */
static void check_guard(const uint8_t *data, size_t size)
{
    Guard guard;
    char *text = malloc(size + 1);
    if (!text || !guard_new(&guard, "127.0.0.1", 8080))
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (guard_path(&guard, text))
        abort(); /* a token by chance */
    if (guard_origin(&guard, text) && !guard_host(&guard, text + strlen("http://")))
        abort();
    if (guard_host(&guard, text) && strcasecmp(text, "localhost:8080") != 0 &&
        strcmp(text, "127.0.0.1:8080") != 0)
        abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Request request;
    const char *why = NULL;
    if (request_read(&request, (const char *)data, size, &why))
        check_request(&request);
    else if (!why || !why[0])
        abort();
    request_free(&request);
    check_guard(data, size);
    return 0;
}
