/* Reads numbers with units, and checks them as values of attributes. */
#include "amoget/syntax/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/intern.h"
#include "base/number.h"

/* ---- units -------------------------------------------------------------------------------- */

static const Unit units[] = {
    {"ns", KIND_TIME, 1, 1e9},
    {"us", KIND_TIME, 1, 1e6},
    {"ms", KIND_TIME, 1, 1e3},
    {"s", KIND_TIME, 1, 1},
    {"min", KIND_TIME, 60, 1},
    {"h", KIND_TIME, 3600, 1},
    {"B", KIND_SIZE, 1, 1},
    {"kB", KIND_SIZE, 1e3, 1},
    {"KB", KIND_SIZE, 1e3, 1},
    {"MB", KIND_SIZE, 1e6, 1},
    {"GB", KIND_SIZE, 1e9, 1},
    {"TB", KIND_SIZE, 1e12, 1},
    {"KiB", KIND_SIZE, 0x1p10, 1},
    {"MiB", KIND_SIZE, 0x1p20, 1},
    {"GiB", KIND_SIZE, 0x1p30, 1},
    {"TiB", KIND_SIZE, 0x1p40, 1},
    {"B/s", KIND_BANDWIDTH, 1, 1},
    {"kB/s", KIND_BANDWIDTH, 1e3, 1},
    {"KB/s", KIND_BANDWIDTH, 1e3, 1},
    {"MB/s", KIND_BANDWIDTH, 1e6, 1},
    {"GB/s", KIND_BANDWIDTH, 1e9, 1},
    {"TB/s", KIND_BANDWIDTH, 1e12, 1},
    {"KiB/s", KIND_BANDWIDTH, 0x1p10, 1},
    {"MiB/s", KIND_BANDWIDTH, 0x1p20, 1},
    {"GiB/s", KIND_BANDWIDTH, 0x1p30, 1},
    {"bit/s", KIND_BANDWIDTH, 1, 8},
    {"kbit/s", KIND_BANDWIDTH, 1e3, 8},
    {"Kbit/s", KIND_BANDWIDTH, 1e3, 8},
    {"Mbit/s", KIND_BANDWIDTH, 1e6, 8},
    {"Gbit/s", KIND_BANDWIDTH, 1e9, 8},
};
enum { UNITS = sizeof units / sizeof *units };

const Unit *unit_find(const char *name, size_t length)
{
    for (int i = 0; i < UNITS; i++)
        if (strlen(units[i].name) == length && memcmp(units[i].name, name, length) == 0)
            return &units[i];
    return NULL;
}

#define TIMES "; times have ns, us, ms, s, min or h"
#define SIZES "; sizes have B, kB, MB, GB, TB, KiB, MiB, GiB or TiB"
#define BANDWIDTHS                                                                                 \
    "; bandwidths have B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, bit/s, kbit/s, Mbit/s "   \
    "or Gbit/s"

const char *units_known(Kind kind)
{
    static const char *const known[] = {[KIND_PLAIN] = TIMES SIZES BANDWIDTHS,
                                        [KIND_TIME] = TIMES,
                                        [KIND_SIZE] = SIZES,
                                        [KIND_BANDWIDTH] = BANDWIDTHS};
    return known[kind];
}

/* Bits by other names, such as Gb/s, which must not be taken for bytes; or NULL. */
static const Unit *bits(const char *name)
{
    static const char *const endings[] = {"b", "b/s", "bps", "bit", "bits/s"};
    const size_t prefix = *name && strchr("kKMG", *name) ? 1 : 0;
    char unit[sizeof "Gbit/s"];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(name + prefix, endings[i]) == 0) {
            (void)snprintf(unit, sizeof unit, "%.*sbit/s", (int)prefix, name);
            return unit_find(unit, strlen(unit));
        }
    return NULL;
}

const Unit *unit_nearest(const char *name)
{
    enum { SHORTEST = 3 }; /* of one or two letters, every other unit would be near */
    const Unit *nearest = bits(name);
    if (nearest)
        return nearest;
    for (int i = 0; i < UNITS; i++) {
        if (strcasecmp(units[i].name, name) == 0)
            return &units[i];
        if (strlen(name) >= SHORTEST && name_distance(units[i].name, name, 2) < 2)
            nearest = &units[i];
    }
    return nearest;
}

/* ---- reading ------------------------------------------------------------------------------ */

static size_t skip(const char *text, size_t length, size_t at, int (*is)(int))
{
    while (at < length && is((unsigned char)text[at]))
        at++;
    return at;
}

static int is_blank(int c)
{
    return c == ' ' || c == '\t';
}

static int is_unit(int c)
{
    return isalnum(c) || c == '/' || c == '_';
}

/* Behind the number at `at`; `at` itself: there is none. */
static size_t skip_number(const char *text, size_t length, size_t at)
{
    size_t i = at + (at < length && (text[at] == '-' || text[at] == '+'));
    size_t whole = i = skip(text, length, i, isdigit), digits;
    digits = whole > at && isdigit((unsigned char)text[whole - 1]);
    if (i < length && text[i] == '.') {
        size_t fraction = skip(text, length, i + 1, isdigit);
        digits += fraction - i - 1;
        i = fraction;
    }
    if (digits == 0)
        return at;
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        size_t sign = i + 1 + (i + 1 < length && (text[i + 1] == '-' || text[i + 1] == '+'));
        size_t exponent = skip(text, length, sign, isdigit);
        i = exponent > sign ? exponent : i;
    }
    return i;
}

bool quantity_read(const char *text, size_t length, Quantity *out, size_t *behind)
{
    char number[128]; /* longer ones say nothing more */
    size_t begin = skip(text, length, 0, is_blank), end = skip_number(text, length, begin);
    *behind = begin;
    if (end == begin || end - begin >= sizeof number)
        return false;
    memcpy(number, text + begin, end - begin);
    number[end - begin] = '\0';
    *out = (Quantity){number_read(number), NULL};
    if (!isfinite(out->number))
        return false;
    *behind = skip(text, length, end, is_blank);
    end = skip(text, length, *behind, is_unit);
    if (end > *behind) {
        out->unit = unit_find(text + *behind, end - *behind);
        if (!out->unit)
            return false;
        *behind = skip(text, length, end, is_blank);
    }
    return *behind == length;
}

/* ---- attributes --------------------------------------------------------------------------- */

static const struct {
    const char *name, *what;
    Kind kind;
    double least, most;
} attributes[] = {
    [ATTRIBUTE_WORK] = {"work", "the work", KIND_PLAIN, LEAST_NUMBER, MOST_NUMBER},
    [ATTRIBUTE_OUTPUT] = {"output", "the output", KIND_SIZE, 0, MOST_NUMBER},
    [ATTRIBUTE_PHASES] = {"phases", "the number of phases", KIND_PLAIN, 1, MOST_PHASES},
    [ATTRIBUTE_TIME] = {"time", "the time", KIND_TIME, LEAST_NUMBER, MOST_NUMBER},
    [ATTRIBUTE_AVAILABILITY] = {"availability", "the availability", KIND_PLAIN, LEAST_NUMBER, 1},
    [ATTRIBUTE_CORES] = {"cores", "the number of cores", KIND_PLAIN, 1, INT32_MAX},
    [ATTRIBUTE_MEMORY] = {"memory", "the memory", KIND_SIZE, 1, MOST_NUMBER},
    [ATTRIBUTE_LATENCY] = {"latency", "the latency", KIND_TIME, LEAST_NUMBER, MOST_NUMBER},
    [ATTRIBUTE_BANDWIDTH] = {"bandwidth", "the bandwidth", KIND_BANDWIDTH, LEAST_NUMBER,
                             MOST_NUMBER},
    [ATTRIBUTE_SIZE] = {"size", "the size", KIND_SIZE, 0, MOST_NUMBER},
    [ATTRIBUTE_MAX_AGE] = {"max-age", "the greatest age", KIND_TIME, LEAST_NUMBER, MOST_NUMBER},
    [ATTRIBUTE_DATA] = {"data", "the size of a message", KIND_SIZE, 0, MOST_NUMBER},
    [ATTRIBUTE_EXCHANGE] = {"exchange", "the size of an exchange", KIND_SIZE, 0, MOST_NUMBER},
    [ATTRIBUTE_CLUSTER] = {"cluster", "the cluster", KIND_PLAIN, 0, 0},
    [ATTRIBUTE_ADDRESS] = {"address", "the address", KIND_PLAIN, 0, 0},
};

const char *attribute_name(Attribute attribute)
{
    return attributes[attribute].name;
}

Kind attribute_kind(Attribute attribute)
{
    return attributes[attribute].kind;
}

static const char *range_text(Attribute attribute, double value)
{
    switch (attribute) {
    case ATTRIBUTE_AVAILABILITY:
        return "must be greater than 0 and at most 1";
    case ATTRIBUTE_CORES:
        return "must be a whole number from 1 to 2147483647";
    case ATTRIBUTE_MEMORY:
        return value < 1 ? "must be at least 1 B" : "must be at most 1e30";
    case ATTRIBUTE_PHASES:
        return "must be a whole number from 1 to 100";
    case ATTRIBUTE_OUTPUT:
    case ATTRIBUTE_SIZE:
    case ATTRIBUTE_DATA:
    case ATTRIBUTE_EXCHANGE:
        return value < 0 ? "cannot be negative" : "must be at most 1e30";
    case ATTRIBUTE_LATENCY:
        if (value == 0)
            return "must be positive (1 ns, say)";
        return value < 0 ? "must be positive" : "must be from 1e-30 to 1e30";
    default:
        return value <= 0 ? "must be positive" : "must be from 1e-30 to 1e30";
    }
}

/* Does a quantity without a unit, or with this one, make sense there? */
static bool unit_fits(const Unit *unit, Attribute attribute, char why[WHY_SIZE])
{
    static const char *const kinds[] = {"", "time", "size", "bandwidth"};
    Kind kind = attributes[attribute].kind;
    const char *what = attributes[attribute].what;
    if (!unit || unit->kind == kind || (unit->kind == KIND_SIZE && kind == KIND_BANDWIDTH))
        return true;
    if (kind == KIND_PLAIN)
        (void)snprintf(why, WHY_SIZE, "%s has no unit, but `%s` is one of %s", what, unit->name,
                       kinds[unit->kind]);
    else
        (void)snprintf(why, WHY_SIZE, "%s has a unit of %s, but `%s` is one of %s", what,
                       kinds[kind], unit->name, kinds[unit->kind]);
    return false;
}

bool quantity_value(Quantity quantity, Attribute attribute, double *value, char why[WHY_SIZE])
{
    const Unit *unit = quantity.unit;
    if (!unit_fits(unit, attribute, why))
        return false;
    double number = unit ? quantity.number * unit->times / unit->over : quantity.number;
    bool counts = attribute == ATTRIBUTE_CORES || attribute == ATTRIBUTE_PHASES;
    bool whole = !counts || number == floor(number);
    if (!(number >= attributes[attribute].least && number <= attributes[attribute].most) ||
        !whole) {
        char text[NUMBER_SIZE];
        number_write(quantity.number, text);
        (void)snprintf(why, WHY_SIZE, "%s %s, not %s%s%s", attributes[attribute].what,
                       range_text(attribute, number), text, unit ? " " : "",
                       unit ? unit->name : "");
        return false;
    }
    *value = number;
    return true;
}
