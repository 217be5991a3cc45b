/* Findings with their places, and attributes. */
#include "grid/taag/files/mapping_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

/* ---- places and findings -------------------------------------------------------------------- */

void mapping_stop_if_enough(Reading *r)
{
    if (r->no_memory || r->found.errors >= MOST_FINDINGS)
        xmlStopParser(r->xml);
}

/* ---- attributes ----------------------------------------------------------------------------- */

int mapping_find(Reading *r, const char *name, Value *out)
{
    for (int i = 0; i < r->attribute_count; i++) {
        const xmlChar *const *a = r->attributes + 5 * i;
        if (strcmp((const char *)a[0], name) != 0 || a[1])
            continue;
        size_t begin = xml_offset(r->xml, &r->source, a[3]);
        *out = (Value){(const char *)a[3], (int)(a[4] - a[3]), r->at};
        if (begin < r->source.length) /* elsewhere: libxml2 made a copy, of &amp; and such */
            out->at = (Span){(uint32_t)begin, (uint32_t)(begin + (size_t)out->length)};
        r->used |= 1U << (i & 31);
        return 1;
    }
    return 0;
}

int mapping_need(Reading *r, const char *name, Value *out)
{
    if (mapping_find(r, name, out))
        return 1;
    report(r, r->at, "the attribute `%s` is missing", name);
    return 0;
}

int mapping_number(Reading *r, const char *name, int32_t least, int32_t most, int32_t otherwise,
                   int32_t *out)
{
    Value v;
    int64_t n = 0;
    *out = otherwise;
    if (otherwise >= least ? !mapping_find(r, name, &v) : !mapping_need(r, name, &v))
        return otherwise >= least;
    int i = 0;
    while (i < v.length && v.text[i] >= '0' && v.text[i] <= '9' && n <= most)
        n = 10 * n + (v.text[i++] - '0');
    if (i == 0 || i < v.length || n < least || n > most) {
        report(r, v.at, "`%s` is a whole number of %" PRId32 " to %" PRId32, name, least, most);
        return 0;
    }
    *out = (int32_t)n;
    return 1;
}

int mapping_quantity(Reading *r, const char *name, bool zero, double *out)
{
    Value v;
    char text[64] = "";
    if (!mapping_need(r, name, &v))
        return 0;
    if (v.length > 0 && v.length < (int)sizeof text &&
        strspn(v.text, "0123456789.eE+-") >= (size_t)v.length) {
        memcpy(text, v.text, (size_t)v.length);
        text[v.length] = '\0';
    }
    double read = number_read(text);
    bool whole = number_is(text);
    *out = 0;
    if (!whole || !isfinite(read) || read < 0 || (read == 0 && !zero)) {
        report(r, v.at, "`%s` is a number %s 0, such as 0.002", name, zero ? ">=" : ">");
        return 0;
    }
    *out = read;
    return 1;
}

int mapping_host_named(Reading *r, const char *attribute, int32_t *out)
{
    Value v;
    if (!mapping_need(r, attribute, &v))
        return 0;
    *out = intern_find(&r->hosts, v.text, (size_t)v.length);
    if (*out >= 0)
        return 1;
    report(r, v.at, "no host has the name `%.*s`", v.length < 80 ? v.length : 80, v.text);
    return 0;
}
