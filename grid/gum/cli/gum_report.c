/* The reports of gum predict. */
#include <math.h>

#include "gum_predict.h"

static const char *first_of(const GumSession *s, int32_t cluster)
{
    for (int32_t i = 0; i < s->platform.size; i++)
        if (s->platform.tables.fixed[i].cluster == cluster)
            return amoget_processor_name(s->machine, s->platform.processor[i]);
    return "-";
}

static const char *main_of(const GumSession *s)
{
    return amoget_processor_name(s->machine, s->platform.processor[s->platform.tables.main]);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void crossovers_text(const char *what, const Crossover *each, int32_t count, FILE *to)
{
    if (count == 0)
        (void)fprintf(to, "The same policy is best with %s 1/64 to 64 times as large.\n", what);
    for (int32_t i = 0; i < count; i++)
        (void)fprintf(to, "With %s more than %.3g times as large %s is best; below, %s.\n", what,
                      each[i].factor, policy_text(each[i].above), policy_text(each[i].below));
}

static void worth_text(const GumSession *s, FILE *to)
{
    const int32_t clusters = s->platform.tables.clusters;
    int32_t buy = 0;
    (void)fprintf(to, "\n  %-16s %10s %14s %14s %14s\n", "Cluster of", "processes", "speed +1%",
                  "latency -1%", "one more");
    for (int32_t c = 0; c < clusters; c++) {
        const Worth *w = &s->worth[c];
        (void)fprintf(to, "  %-16s %10d %13.3g%% %13.3g%% %12.6g s\n", first_of(s, c),
                      (int)tables_cluster_size(&s->platform.tables, c), w->speed, -w->latency,
                      w->one_more);
        if (w->one_more < s->worth[buy].one_more)
            buy = c;
    }
    (void)fprintf(
        to,
        "\nOf the makespan with %s: what 1%% more speed, 1%% less latency, and one process\n"
        "more change.  One process more is worth most in the cluster of %s.\n",
        policy_text(s->best), first_of(s, buy));
}

void gum_report_text(const GumSession *s, FILE *to)
{
    const Platform *p = &s->platform;
    (void)fprintf(to, "%s: %d process%s in %d cluster%s of %s, the main one on %s\n\n",
                  s->profile->program, (int)p->size, p->size == 1 ? "" : "es",
                  (int)p->tables.clusters, p->tables.clusters == 1 ? "" : "s",
                  description_name(&s->description_file), main_of(s));
    (void)fprintf(to, "  %-16s %12s %12s %12s %12s %8s\n", "Policy", "makespan", "efficiency",
                  "start", "tail", "model");
    for (int k = 0; k < POLICIES; k++) {
        const Prediction *it = &s->each[k];
        (void)fprintf(to, "  %-16s %10.6g s %12.4f %10.4g s %10.4g s %8s%s\n",
                      policy_text((PolicyName)k), it->makespan, it->efficiency, it->start, it->tail,
                      taking_method(it->method), (PolicyName)k == s->best ? "  best" : "");
    }
    if (!s->worth)
        return;
    (void)fputs("\n", to);
    crossovers_text("tasks", s->task, s->tasks, to);
    crossovers_text("latencies", s->latency, s->latencies, to);
    worth_text(s, to);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void crossovers_json(const char *name, const Crossover *each, int32_t count, FILE *to)
{
    (void)fprintf(to, "    \"%s\": [", name);
    for (int32_t i = 0; i < count; i++)
        (void)fprintf(to, "%s{ \"factor\": " FULL ", \"below\": \"%s\", \"above\": \"%s\" }",
                      i ? ", " : " ", each[i].factor, policy_text(each[i].below),
                      policy_text(each[i].above));
    (void)fprintf(to, " ]");
}

static void advice_json(const GumSession *s, FILE *to)
{
    (void)fprintf(to, "  \"crossovers\": {\n");
    crossovers_json("tasks", s->task, s->tasks, to);
    (void)fprintf(to, ",\n");
    crossovers_json("latencies", s->latency, s->latencies, to);
    (void)fprintf(to, " },\n  \"clusters\": [");
    for (int32_t c = 0; c < s->platform.tables.clusters; c++) {
        const Worth *w = &s->worth[c];
        (void)fprintf(to, "%s\n    { \"first\": ", c ? "," : "");
        json_string(to, first_of(s, c));
        (void)fprintf(to,
                      ", \"processes\": %d, \"elasticity\": { \"speed\": " FULL
                      ", \"latency\": " FULL ", \"processes\": " FULL " }, \"one_more\": " FULL
                      " }",
                      (int)tables_cluster_size(&s->platform.tables, c), w->speed, w->latency,
                      w->processes, w->one_more);
    }
    (void)fprintf(to, " ],\n");
}

void gum_report_json(const GumSession *s, FILE *to)
{
    (void)fprintf(to, "{ \"program\": ");
    json_string(to, s->profile->program);
    (void)fprintf(to, ", \"description\": ");
    json_string(to, description_name(&s->description_file));
    (void)fprintf(to, ",\n  \"processes\": %d, \"clusters_count\": %d, \"main\": ",
                  (int)s->platform.size, (int)s->platform.tables.clusters);
    json_string(to, main_of(s));
    (void)fprintf(to, ",\n  \"policies\": [");
    for (int k = 0; k < POLICIES; k++) {
        const Prediction *it = &s->each[k];
        (void)fprintf(to,
                      "%s\n    { \"policy\": \"%s\", \"makespan\": " FULL ", \"efficiency\": " FULL
                      ", \"start\": " FULL ", \"tail\": " FULL ", \"throughput\": " FULL
                      ", \"messages\": " FULL ", \"method\": \"%s\" }",
                      k ? "," : "", policy_text((PolicyName)k), it->makespan, it->efficiency,
                      it->start, it->tail, it->throughput, it->messages, taking_method(it->method));
    }
    (void)fprintf(to, " ],\n  \"best\": \"%s\",\n", policy_text(s->best));
    if (s->worth)
        advice_json(s, to);
    (void)fprintf(to, "  \"warnings\": ");
    json_findings(to, &s->description_file.findings);
    (void)fprintf(to, " }\n");
}

void gum_report_csv(const GumSession *s, FILE *to)
{
    (void)fprintf(to, "policy,makespan,efficiency,start,tail,throughput,messages,method\n");
    for (int k = 0; k < POLICIES; k++) {
        const Prediction *it = &s->each[k];
        (void)fprintf(to, "%s," FULL "," FULL "," FULL "," FULL "," FULL "," FULL ",%s\n",
                      policy_text((PolicyName)k), it->makespan, it->efficiency, it->start, it->tail,
                      it->throughput, it->messages, taking_method(it->method));
    }
}
