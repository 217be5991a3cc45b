/* The reports: JSON for programs, a table for people. */
#include <math.h>
#include <stdlib.h>

#include "taag_cli.h"

/* Consecutive processes of a group on one host. */
typedef struct {
    int32_t host, count;
} Share;

/* The share of a group that begins with process `rank`, of `left`. */
static Share share_at(const Mapping *m, int32_t rank, int32_t left)
{
    Share share = {m->host_of[rank], 1};
    while (share.count < left && m->host_of[rank + share.count] == share.host)
        share.count++;
    return share;
}

/* A group and its first process. */
typedef struct {
    int32_t group, size, rank;
} Row;

static int by_size(const void *x, const void *y)
{
    const Row *a = x, *b = y;
    return a->size != b->size ? (a->size < b->size) - (a->size > b->size)
                              : (a->group > b->group) - (a->group < b->group);
}

/* The groups, largest first, to be freed by mem_free; NULL: out of memory. */
static Row *rows_of(const Mapping *m)
{
    Row *rows;
    if (!mem_new(rows, m->group_count))
        return NULL;
    for (int32_t g = 0, rank = 0; g < m->group_count; rank += m->groups[g++].size)
        rows[g] = (Row){g, m->groups[g].size, rank};
    qsort(rows, (size_t)m->group_count, sizeof *rows, by_size);
    return rows;
}

static void json_cost(FILE *to, Cost cost)
{
    (void)fprintf(to, "{ \"level\": %d, \"max_latency\": " FULL ", \"mean_latency\": " FULL " }",
                  cost.level, cost.most, cost.mean);
}

static void json_group(const Mapping *m, const Row *row, bool more, FILE *to)
{
    int32_t rank = row->rank, left = row->size;
    (void)fprintf(to, "%s\n    { \"group\": %d, \"size\": %d, \"hosts\": [", more ? "," : "",
                  row->group + 1, left);
    for (bool first = true; left > 0; first = false) {
        Share share = share_at(m, rank, left);
        (void)fputs(first ? " { \"name\": " : ", { \"name\": ", to);
        json_string(to, m->hosts[share.host].name);
        (void)fprintf(to, ", \"processes\": %d }", share.count);
        rank += share.count;
        left -= share.count;
    }
    (void)fputs(" ] }", to);
}

static void json_time(const Session *s, FILE *to)
{
    const Prediction *t = &s->time;
    (void)fprintf(to,
                  ",\n  \"time\": { \"predicted\": " FULL ", \"least\": " FULL
                  ", \"phases\": %d, \"by\": \"%s\"",
                  t->predicted, t->least, t->phases, t->solved ? "model" : "integral");
    if (s->options->by_time)
        (void)fprintf(to, ", \"bound\": " FULL, fmin(s->bound, t->predicted));
    (void)fputs(" }", to);
}

bool report_json(const Session *s, FILE *to)
{
    const Schedule *found = &s->schedule;
    const Mapping *m = found->mapping;
    Row *rows = rows_of(m);
    if (!rows)
        return false;
    (void)fputs("{ \"description\": ", to);
    json_string(to, description_name(&s->file));
    (void)fprintf(to, ",\n  \"kind\": \"%s\", \"processes\": %d, \"hosts\": %d,\n",
                  amoget_program_kind(m->schema.kind), m->process_count, m->host_count);
    (void)fprintf(to,
                  found->partitions < 9007199254740992.0 ? "  \"partitions\": %.0f"
                                                         : "  \"partitions\": %.17g",
                  found->partitions);
    (void)fputs(",\n  \"groups\": [", to);
    for (int32_t at = 0; at < m->group_count; at++)
        json_group(m, &rows[at], at > 0, to);
    (void)fputs("\n  ],\n  \"edges\": [", to);
    for (int32_t e = 0; e < m->edge_count; e++)
        (void)fprintf(to, "%s[%d, %d]", e ? ", " : "", m->edges[e].a + 1, m->edges[e].b + 1);
    (void)fputs("],\n  \"cost\": ", to);
    json_cost(to, found->cost);
    (void)fprintf(to, ", \"optimal\": %s", found->optimal ? "true" : "false");
    if (s->timed)
        json_time(s, to);
    if (!s->options->set.paper && !s->options->set.in_order && !s->options->by_time) {
        (void)fputs(",\n  \"bound\": ", to);
        json_cost(to, found->bound);
    }
    (void)fprintf(to, ",\n  \"seconds\": { \"solve\": %.9f },\n  \"warnings\": ", s->seconds);
    json_findings(to, &s->file.findings);
    (void)fputs(" }\n", to);
    mem_free(rows);
    return true;
}

static void text_proof(const Session *s, FILE *to)
{
    const Schedule *found = &s->schedule;
    const char *plural = found->partitions > 1 ? "s" : "";
    (void)fprintf(to, found->partitions < 1e15 ? "%.0f partition%s; " : "%.3g partition%s; ",
                  found->partitions, plural);
    if (s->options->set.in_order)
        (void)fprintf(to, "hosts filled in the order of the description%s\n",
                      found->whole ? "" : ", with the best of the first partitions");
    else if (s->options->set.paper)
        (void)fprintf(to, "the paper's heuristic%s\n",
                      found->whole ? "" : ", which did not try all of several equal clusters");
    else if (found->optimal)
        (void)fprintf(to, "no placement of any of them%s %s\n",
                      s->program->kind == AMOGET_RING ? ", sizes falling along the ring," : "",
                      s->options->by_time ? "has a shorter round" : "costs less");
    else if (s->options->by_time)
        (void)fprintf(to, "not proved: none has a round shorter than %.6g s\n", s->bound);
    else
        (void)fprintf(to, "not proved: none costs less than level %d, %.6g ms, %.6g ms\n",
                      found->bound.level, found->bound.most, found->bound.mean);
}

bool report_model(const Session *s, FILE *to)
{
    (void)fputs(s->model, to);
    return true;
}

bool report_text(const Session *s, FILE *to)
{
    const Schedule *found = &s->schedule;
    const Mapping *m = found->mapping;
    Row *rows = rows_of(m);
    if (!rows)
        return false;
    (void)fprintf(to, "%s: %d process%s on %d host%s\n", description_name(&s->file),
                  m->process_count, m->process_count == 1 ? "" : "es", m->host_count,
                  m->host_count == 1 ? "" : "s");
    text_proof(s, to);
    if (s->timed)
        (void)fprintf(to, "\n  time of a round                      from %.6g to %.6g s",
                      s->time.least, s->time.predicted);
    (void)fprintf(to,
                  "\n  largest latency level within groups  %d\n"
                  "  largest latency between groups       %.6g ms\n"
                  "  mean latency between groups          %.6g ms\n\n"
                  "  group  size  hosts\n",
                  found->cost.level, found->cost.most, found->cost.mean);
    for (int32_t at = 0; at < m->group_count; at++) {
        int32_t rank = rows[at].rank, left = rows[at].size;
        (void)fprintf(to, "  %5d  %4d  ", rows[at].group + 1, left);
        for (bool first = true; left > 0; first = false) {
            Share share = share_at(m, rank, left);
            (void)fprintf(to, "%s%s", first ? "" : ", ", m->hosts[share.host].name);
            if (share.count > 1)
                (void)fprintf(to, " x %d", share.count);
            rank += share.count;
            left -= share.count;
        }
        (void)fputc('\n', to);
    }
    mem_free(rows);
    return true;
}
