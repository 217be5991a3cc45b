/* Reads requests to run a command (request.h). */
#include <jansson.h>
#include <string.h>

#include "serve/allowed.h"
#include "serve/request.h"

static bool refuse(const char **why, const char *reason)
{
    *why = reason;
    return false;
}

static const char no_memory[] = "out of memory";

/* "--NAME=VALUE", or "--NAME" if value is NULL; NULL: memory is out. */
static const char *option_word(Arena *arena, const char *name, const char *value)
{
    const size_t size = strlen(name) + (value ? strlen(value) : 0) + 4;
    char *word = arena_alloc(arena, size);
    if (word)
        (void)snprintf(word, size, "--%s%s%s", name, value ? "=" : "", value ? value : "");
    return word;
}

/* ["name"] or ["name", "value"]. */
static bool read_option(Request *r, const AllowedCommand *command, const json_t *each,
                        const char **why)
{
    const char *name = json_string_value(json_array_get(each, 0));
    const json_t *given = json_array_get(each, 1);
    const char *value = json_string_value(given);
    const AllowedOption *option = name ? allowed_option(command, name) : NULL;
    if (!option)
        return refuse(why, "an option is none of those that a page may use");
    if (json_array_size(each) != (option->value ? 2 : 1) || (option->value && !value))
        return refuse(why, option->value ? "an option lacks its value, a string"
                                         : "an option has a value, but takes none");
    if (value && json_string_length(given) > REQUEST_MOST_VALUE)
        return refuse(why, "the value of an option is too long");
    const char *word = option_word(&r->arena, name, value);
    if (!word)
        return refuse(why, no_memory);
    r->word[r->words++] = word;
    return true;
}

static bool read_options(Request *r, const AllowedCommand *command, const json_t *list,
                         const char **why)
{
    size_t i;
    json_t *each;
    if (!list)
        return true;
    if (!json_is_array(list) || json_array_size(list) > REQUEST_MOST_OPTIONS)
        return refuse(why, "options are a list of at most 64");
    json_array_foreach(list, i, each) if (!read_option(r, command, each, why)) return false;
    return true;
}

static bool line_good(const json_t *each)
{
    return json_is_string(each) && json_string_length(each) <= REQUEST_MOST_VALUE &&
           !strpbrk(json_string_value(each), "\r\n");
}

/* The commands of a walk, joined. */
static bool read_lines(Request *r, const json_t *list, const char **why)
{
    size_t i, size = 1;
    json_t *each;
    if (list && (!json_is_array(list) || json_array_size(list) > REQUEST_MOST_LINES))
        return refuse(why, "lines are a list, and not too many");
    json_array_foreach(list, i, each)
    {
        if (!line_good(each))
            return refuse(why, "a line is a short string without a line break");
        size += json_string_length(each) + 1;
    }
    char *at = arena_alloc(&r->arena, size);
    if (!at)
        return refuse(why, no_memory);
    r->lines = at;
    r->lines_length = size - 1;
    json_array_foreach(list, i, each)
    {
        memcpy(at, json_string_value(each), json_string_length(each));
        at += json_string_length(each);
        *at++ = '\n';
    }
    return true;
}

/* The program, its command and where the model is. */
static void begin_words(Request *r, const AllowedCommand *command)
{
    const bool walk = strcmp(command->name, "walk") == 0;
    r->program = command->program;
    r->command = command->name;
    r->takes_memory = command->memory;
    r->takes_progress = command->progress;
    r->word[r->words++] = command->program;
    if (strcmp(command->program, command->name) != 0)
        r->word[r->words++] = command->name;
    r->word[r->words++] = walk ? "/dev/fd/3" : "-";
    if (strcmp(command->program, "amoget") == 0)
        r->word[r->words++] = "--no-include";
    else if (strcmp(command->name, "fit") != 0) /* its input is durations */
        r->word[r->words++] = "--no-files";
}

static bool read_object(Request *r, const json_t *top, const char **why)
{
    const json_t *text = json_object_get(top, "text"), *keep = json_object_get(top, "keep"),
                 *lines = json_object_get(top, "lines");
    const char *name = json_string_value(json_object_get(top, "command"));
    const AllowedCommand *command = name ? allowed_command(name) : NULL;
    if (!command)
        return refuse(why, "there is no such command for pages");
    if (!json_is_string(text))
        return refuse(why, "'text' is missing: the model");
    begin_words(r, command);
    const bool walk = strcmp(command->name, "walk") == 0;
    if (lines && !walk)
        return refuse(why, "only 'walk' has lines");
    r->length = json_string_length(text);
    r->text = arena_copy(&r->arena, json_string_value(text), r->length);
    r->keep = json_is_true(keep);
    if (!r->text)
        return refuse(why, no_memory);
    return read_options(r, command, json_object_get(top, "options"), why) &&
           (!walk || read_lines(r, lines, why));
}

bool request_read(Request *request, const char *json, size_t length, const char **why)
{
    json_error_t error;
    *request = (Request){0};
    if (length > REQUEST_MOST_BYTES)
        return refuse(why, "the request is too long");
    json_t *top = json_loadb(json, length, JSON_REJECT_DUPLICATES, &error);
    const bool null = !top && json_error_code(&error) == json_error_null_character;
    const bool good =
        json_is_object(top) ? read_object(request, top, why)
                            : refuse(why, null ? "a NUL byte: the model is not text in UTF-8"
                                               : "the request is no JSON object");
    json_decref(top);
    return good;
}

void request_free(Request *request)
{
    arena_free(&request->arena);
}
