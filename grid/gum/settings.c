/* Settings of a run, from the environment. */
#include "grid/gum/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/decimal.h"
#include "grid/gum/policy/policy.h"
#include "grid/gum/tuning.h"

/* Empty is not given. */
static const char *given(const char *name)
{
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

/* A number within bounds. */
static int number(const char *name, double least, double most, int whole, double *out,
                  char *problem, size_t size)
{
    const char *text = given(name);
    char *end = NULL;
    if (!text)
        return 0;
    errno = 0;
    double value = decimal_read(text, &end);
    if (errno == 0 && end != text && !*end && value >= least && value <= most &&
        (!whole || value == (double)(int64_t)value)) {
        *out = value;
        return 0;
    }
    (void)snprintf(problem, size, "%s=%.60s is not a %snumber from %g to %g", name, text,
                   whole ? "whole " : "", least, most);
    return -1;
}

static int policy(Settings *settings, char *problem, size_t size)
{
    const char *text = given("GUM_POLICY");
    settings->policy = text ? policy_find(text) : DEFAULT_POLICY;
    if (settings->policy != POLICY_UNKNOWN)
        return 0;
    int used = snprintf(problem, size, "GUM_POLICY=%.60s is not a policy; there are", text);
    for (int i = 0; i < POLICIES && used > 0 && (size_t)used < size; i++)
        used += snprintf(problem + used, size - (size_t)used, "%s %s", i > 0 ? "," : "",
                         policy_text((PolicyName)i));
    return -1;
}

const char *settings_speed(const char *text, double *speed)
{
    const char *equals = strchr(text, '=');
    char *end;
    if (!equals || equals == text)
        return NULL;
    *speed = decimal_read(equals + 1, &end);
    if (end == equals + 1 || !(*speed > 0 && *speed <= 1e300) || *end != ';')
        return NULL;
    return end + 1;
}

static int speeds(char *problem, size_t size)
{
    double value;
    for (const char *text = given("GUM_SPEEDS"); text && *text;) {
        const char *next = settings_speed(text, &value);
        if (!next) {
            (void)snprintf(problem, size, "GUM_SPEEDS=%.60s is not HOST=SPEED; and so on",
                           given("GUM_SPEEDS"));
            return -1;
        }
        text = next;
    }
    return 0;
}

int settings_read(Settings *settings, char *problem, size_t size)
{
    const char *weak = given("GUM_WEAK_CLUSTER"), *summary = given("GUM_SUMMARY");
    double threads = DEFAULT_THREADS, watermark = 0, age = -1, sparks = DEFAULT_SPARKS;
    *settings = (Settings){.patience = DEFAULT_GUM_PATIENCE, .stack = DEFAULT_STACK};
    if (policy(settings, problem, size) || speeds(problem, size) ||
        number("GUM_THREADS", 1, 1e6, 1, &threads, problem, size) ||
        number("GUM_WATERMARK", 0, 1e6, 1, &watermark, problem, size) ||
        number("GUM_AGE_LIMIT", 0, 1e6, 1, &age, problem, size) ||
        number("GUM_SPARKS", 1, 1e9, 1, &sparks, problem, size) ||
        number("GUM_PATIENCE", 0.1, 1e9, 0, &settings->patience, problem, size) ||
        number("GUM_STACK", LEAST_STACK, 1e12, 1, &settings->stack, problem, size))
        return -1;
    if (weak && strcmp(weak, "waits") != 0 && strcmp(weak, "served") != 0) {
        (void)snprintf(problem, size, "GUM_WEAK_CLUSTER=%.60s is neither waits nor served", weak);
        return -1;
    }
    settings->threads = (int32_t)threads;
    settings->watermark = (int32_t)watermark;
    settings->age_limit = (int32_t)age;
    settings->sparks = (int32_t)sparks;
    settings->weak_waits = weak && strcmp(weak, "waits") == 0;
    settings->profile = given("GUM_PROFILE") != NULL;
    settings->activity = given("GUM_ACTIVITY") != NULL;
    settings->summary = summary && strcmp(summary, "0") != 0;
    return 0;
}
