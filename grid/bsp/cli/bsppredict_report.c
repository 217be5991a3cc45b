/* The reports of bsppredict. */
#include "bsppredict.h"

static const char *processor_of(const PredictSession *s, int32_t process)
{
    return amoget_processor_name(s->machine, s->where.at[process]);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- text ------------------------------------------------------------------------------------ */

static void processors_text(const PredictSession *s, FILE *to)
{
    (void)fprintf(to, "Processes on");
    for (int32_t p = 0; p < s->trace->processes; p++)
        (void)fprintf(to, "%s %s", p ? "," : "", processor_of(s, p));
    if (s->options->processors)
        (void)fprintf(to, ".\n");
    else if (s->found.optimal)
        (void)fprintf(to, ": the best by the timeline, proved.\n");
    else
        (void)fprintf(to,
                      ": the best found by the timeline.\nNone takes less than %.6g s; a larger "
                      "--effort searches "
                      "on.\n",
                      s->found.bound);
}

static void line(FILE *to, const char *what, const Prediction *p)
{
    (void)fprintf(to, "  %-16s %12.6g %12.6g %12.6g %12.6g\n", what, p->equal, p->unequal,
                  p->timeline, p->model);
}

void predict_report_text(const PredictSession *s, FILE *to)
{
    const Trace *t = s->trace;
    (void)fprintf(to, "%s: %d process%s, %lld superstep%s, on %s\n\n",
                  description_name(&s->trace_file), (int)t->processes,
                  t->processes == 1 ? "" : "es", (long long)t->steps, plural(t->steps),
                  description_name(&s->description_file));
    processors_text(s, to);
    char stages[32];
    (void)snprintf(stages, sizeof stages, "%d stage%s", (int)s->options->stages,
                   plural(s->options->stages));
    (void)fprintf(to, "\n  %-16s %12s %12s %12s %12s\n", "Seconds", "equal", "unequal", "timeline",
                  stages);
    for (int64_t i = 0; i < t->steps && s->options->steps; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "superstep %lld", (long long)i);
        line(to, name, &s->each[i]);
    }
    line(to, t->steps == 1 ? "the superstep" : "all supersteps", &s->sum);
    (void)fprintf(
        to,
        "\nequal, unequal: the formula w + h g + l, with the slowest processor and link for\n"
        "all, and with each process's own.  timeline: each process goes on as soon as it\n"
        "can.  All three for constant durations; last, the PEPA model of durations of\n%s",
        stages);
    if (s->predicting.integral)
        (void)fprintf(to,
                      "; of %lld of %lld different supersteps by integrals, as it would be "
                      "large",
                      (long long)s->predicting.integral,
                      (long long)(s->predicting.solved + s->predicting.integral));
    (void)fprintf(to, ".\n");
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void json_prediction(const Prediction *p, FILE *to)
{
    (void)fprintf(to,
                  "{ \"equal\": " FULL ", \"unequal\": " FULL ", \"timeline\": " FULL
                  ", \"model\": " FULL " }",
                  p->equal, p->unequal, p->timeline, p->model);
}

void predict_report_json(const PredictSession *s, FILE *to)
{
    const Trace *t = s->trace;
    (void)fprintf(to, "{ \"trace\": ");
    json_string(to, description_name(&s->trace_file));
    (void)fprintf(to, ", \"description\": ");
    json_string(to, description_name(&s->description_file));
    (void)fprintf(to, ",\n  \"processes\": %d, \"supersteps\": %lld, \"stages\": %d,\n",
                  (int)t->processes, (long long)t->steps, (int)s->options->stages);
    (void)fprintf(to, "  \"processors\": [");
    for (int32_t p = 0; p < t->processes; p++) {
        (void)fputs(p ? ", " : "", to);
        json_string(to, processor_of(s, p));
    }
    (void)fprintf(to, "],\n");
    if (!s->options->processors)
        (void)fprintf(to, "  \"optimal\": %s, \"bound\": " FULL ", \"looked\": %lld,\n",
                      s->found.optimal ? "true" : "false", s->found.bound,
                      (long long)s->found.looked);
    (void)fprintf(to, "  \"seconds\": ");
    json_prediction(&s->sum, to);
    (void)fprintf(to, ",\n  \"steps\": [");
    for (int64_t i = 0; i < t->steps; i++) {
        (void)fprintf(to, "%s\n    ", i ? "," : "");
        json_prediction(&s->each[i], to);
    }
    (void)fprintf(to, " ],\n  \"solved\": %lld, \"integrals\": %lld,\n",
                  (long long)s->predicting.solved, (long long)s->predicting.integral);
    (void)fprintf(to, "  \"warnings\": ");
    json_findings(to, &s->description_file.findings);
    (void)fprintf(to, " }\n");
}

void predict_report_csv(const PredictSession *s, FILE *to)
{
    (void)fprintf(to, "superstep,equal,unequal,timeline,model\n");
    for (int64_t i = 0; i < s->trace->steps; i++)
        (void)fprintf(to, "%lld," FULL "," FULL "," FULL "," FULL "\n", (long long)i,
                      s->each[i].equal, s->each[i].unequal, s->each[i].timeline, s->each[i].model);
}
