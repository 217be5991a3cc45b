/* pepa passage --simulate: passage times from samples, with intervals. */
#include <math.h>
#include <stdlib.h>

#include "analyses.h"
#include "report.h"

typedef struct {
    Session *s;
    const PassageAsked *asked;
    PepaEstimate *cdf, *pdf, *within;
    double *share;
    double confidence;
    int64_t seed;
    PepaPassageSample found;
} Sampled;

typedef enum { VALUE, LOW, HIGH } Part;
enum { PARTS = 3 };
static const char *const suffix[PARTS] = {"", "_low", "_high"};

static double part_of(const PepaEstimate *x, Part part)
{
    return part == VALUE ? x->value : part == LOW ? x->low : x->high;
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void json_finite(double value)
{
    json_number(isfinite(value) ? value : NAN);
}

static void json_estimate(const char *name, const PepaEstimate *x)
{
    for (Part part = VALUE; part <= HIGH; part++) {
        (void)printf("%s\"%s%s\": ", part == VALUE ? ",\n  " : ", ", name, suffix[part]);
        json_finite(part_of(x, part));
    }
}

static void json_list(const char *name, const PepaEstimate *list, size_t count)
{
    for (Part part = VALUE; part <= HIGH; part++) {
        (void)printf(",\n  \"%s%s\": [", name, suffix[part]);
        for (size_t i = 0; i < count; i++) {
            (void)printf("%s", i ? ", " : "");
            json_finite(part_of(&list[i], part));
        }
        (void)printf("]");
    }
}

static int report_json_sample(const Sampled *f)
{
    const PassageAsked *a = f->asked;
    (void)printf("{ \"model\": ");
    json_string(stdout, model_name(f->s->options));
    (void)printf(",\n  \"states\": null, \"transitions\": null");
    json_estimate("ends", &f->found.ends);
    json_estimate("mean", &f->found.mean);
    json_estimate("variance", &f->found.variance);
    (void)printf(",\n  \"time\": [");
    for (size_t i = 0; i < a->count; i++)
        (void)printf("%s" FULL, i ? ", " : "", a->time[i]);
    (void)printf("]");
    json_list("cdf", f->cdf, a->count);
    json_list("pdf", f->pdf, a->count);
    for (Part part = VALUE; part <= HIGH; part++) {
        (void)printf(",\n  \"quantiles%s\": {", suffix[part]);
        for (size_t i = 0; i < a->quantiles; i++) {
            (void)printf("%s \"%.15g\": ", i ? "," : "", a->quantile[i]);
            json_finite(part_of(&f->within[i], part));
        }
        (void)printf(" }");
    }
    (void)printf(",\n  \"passages\": %lld, \"events\": %lld, \"runs\": %lld, \"seed\": %lld, "
                 "\"confidence\": " FULL,
                 (long long)f->found.passages, (long long)f->found.events, (long long)f->found.runs,
                 (long long)f->seed, f->confidence);
    if (!a->ends.from_start)
        (void)printf(", \"length\": " FULL ", \"warm_up\": " FULL, f->found.length,
                     f->found.warm_up);
    json_end(f->s, "simulate", f->found.seconds);
    return finish_output();
}

/* ---- CSV -------------------------------------------------------------------------------------- */

static void csv_row(const PepaEstimate *x)
{
    for (Part part = VALUE; part <= HIGH; part++) {
        (void)printf(",");
        if (!isnan(part_of(x, part)))
            (void)printf(FULL, part_of(x, part));
    }
}

static int report_csv_sample(const Sampled *f)
{
    const PassageAsked *a = f->asked;
    const PepaEstimate *const one[] = {&f->found.ends, &f->found.mean, &f->found.variance};
    static const char *const name[] = {"ends", "mean", "variance"};
    (void)printf(a->count ? "time,cdf,cdf_low,cdf_high,pdf,pdf_low,pdf_high\n"
                          : "measure,value,low,high\n");
    for (size_t i = 0; i < a->count; i++) {
        (void)printf(FULL, a->time[i]);
        csv_row(&f->cdf[i]);
        csv_row(&f->pdf[i]);
        (void)printf("\n");
    }
    for (size_t i = 0; i < sizeof one / sizeof *one && !a->count; i++) {
        (void)printf("%s", name[i]);
        csv_row(one[i]);
        (void)printf("\n");
    }
    for (size_t i = 0; i < a->quantiles && !a->count; i++) {
        (void)printf("quantile %.15g", a->quantile[i]);
        csv_row(&f->within[i]);
        (void)printf("\n");
    }
    return finish_output();
}

/* ---- text ------------------------------------------------------------------------------------- */

static void text_line(const char *name, const PepaEstimate *x)
{
    if (isfinite(x->value))
        (void)printf("  %-22s  %14.8g  %14.8g  %14.8g\n", name, x->value, x->low, x->high);
    else
        (void)printf("  %-22s  infinite: some passages never end\n", name);
}

static void text_distribution(const Sampled *f)
{
    const PassageAsked *a = f->asked;
    if (a->count)
        (void)printf("\n  %-14s  %-24s  %s\n", "time", "probability", "density");
    for (size_t i = 0; i < a->count; i++) {
        char text[2 * NUMBER_SIZE];
        (void)snprintf(text, sizeof text, "%.6g +- %.2g", f->cdf[i].value,
                       (f->cdf[i].high - f->cdf[i].low) / 2);
        (void)printf("  %-14.8g  %-24s", a->time[i], text);
        if (isnan(f->pdf[i].value))
            (void)printf("  no value\n");
        else
            (void)printf("  %.6g +- %.2g\n", f->pdf[i].value, (f->pdf[i].high - f->pdf[i].low) / 2);
    }
}

static int report_text_sample(const Sampled *f)
{
    char name[64], passages[NUMBER_SIZE], events[NUMBER_SIZE], runs[NUMBER_SIZE];
    const PassageAsked *a = f->asked;
    (void)printf("%s: simulated, %s passages, %s events\n", model_name(f->s->options),
                 number_grouped(f->found.passages, passages),
                 number_grouped(f->found.events, events));
    (void)printf("\n%-24s  %14s  %14s  %14s\n", "Passage time", "value", "from", "to");
    if (f->found.ends.value < 1)
        text_line("probability of an end", &f->found.ends);
    text_line("mean", &f->found.mean);
    text_line("variance", &f->found.variance);
    for (size_t i = 0; i < a->quantiles; i++) {
        (void)snprintf(name, sizeof name, "%.14g%% end within", a->quantile[i]);
        text_line(name, &f->within[i]);
    }
    text_distribution(f);
    (void)printf("\nIntervals of confidence %g each, seed %lld", f->confidence, (long long)f->seed);
    if (!a->ends.from_start)
        (void)printf(", %s long runs until time %.4g without the first %.4g",
                     number_grouped(f->found.runs, runs), f->found.length, f->found.warm_up);
    (void)printf(", %.3g s in all.\n", f->s->parse_seconds + f->found.seconds);
    return finish_output();
}

/* ---- the picture ------------------------------------------------------------------------------ */

static const char *column_name(const void *user, int32_t column)
{
    (void)user;
    return column == 0 ? "time" : column % 2 ? "probability of an end by then" : "density";
}

static double column_value(const void *user, size_t row, int32_t column)
{
    const Sampled *f = user;
    if (column == 0)
        return f->asked->time[row];
    return part_of(column % 2 ? &f->cdf[row] : &f->pdf[row], (Part)((column - 1) / 2));
}

static int draw_sample(const Sampled *f)
{
    static const Axes axes = {.x = "time (in the model's unit)",
                              .y = "probability; density per unit of time",
                              .bands = true};
    const Grid grid = {1, 1 + 2 * PARTS, f->asked->count, column_name, column_value, f};
    return f->s->options->plot ? plot(f->s, &grid, &axes) : EXIT_SOLVED;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static int run(Sampled *f)
{
    Session *s = f->s;
    const Options *o = s->options;
    const PassageAsked *a = f->asked;
    const PepaSettings set = session_settings(s);
    PepaError err = {0};
    for (size_t i = 0; i < a->quantiles; i++)
        f->share[i] = a->quantile[i] / 100;
    const PepaPassageSampling how = {.time = a->time,
                                     .count = a->count,
                                     .share = f->share,
                                     .shares = a->quantiles,
                                     .runs = o->runs,
                                     .relative_width = o->relative_width,
                                     .confidence = f->confidence,
                                     .seed = (uint64_t)f->seed,
                                     .events = o->max_events};
    const PepaStatus status = pepa_simulate_passage(s->model, &a->ends, &how, &set, f->cdf, f->pdf,
                                                    f->within, &f->found, &err);
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    const int drawn = draw_sample(f);
    return plot_status(drawn, o->json  ? report_json_sample(f)
                              : o->csv ? report_csv_sample(f)
                                       : report_text_sample(f));
}

int passage_simulate(Session *s, const PassageAsked *asked)
{
    const double confidence = 0.95;
    const Options *o = s->options;
    Sampled f = {.s = s,
                 .asked = asked,
                 .confidence = o->confidence > 0 ? o->confidence : confidence,
                 .seed = o->seed ? o->seed : 1};
    f.cdf = calloc(asked->count + 1, sizeof *f.cdf);
    f.pdf = calloc(asked->count + 1, sizeof *f.pdf);
    f.within = calloc(asked->quantiles + 1, sizeof *f.within);
    f.share = calloc(asked->quantiles + 1, sizeof *f.share);
    const int status = f.cdf && f.pdf && f.within && f.share ? run(&f) : out_of_memory();
    free(f.cdf);
    free(f.pdf);
    free(f.within);
    free(f.share);
    return status;
}
