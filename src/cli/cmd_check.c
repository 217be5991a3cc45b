/* pepa check: findings alone, or whether a formula of CSL holds. */
#include <math.h>
#include <string.h>

#include "report.h"

/* Findings are the result here, so they go to stdout when a program asks for them. */
static int report_check(const Session *s, int status)
{
    if (s->options->json) {
        (void)printf("{ \"model\": ");
        json_string(stdout, model_name(s->options));
        (void)printf(", \"ok\": %s,\n  \"diagnostics\": ",
                     status == EXIT_SOLVED ? "true" : "false");
        json_findings(stdout, &s->findings);
        (void)printf(" }\n");
    } else if (s->options->csv) {
        (void)printf("severity,line,column,message\n");
        for (size_t i = 0; i < s->findings.count; i++) {
            const Finding *f = &s->findings.each[i];
            (void)printf("%s,%u,%u,", f->severity == PEPA_ERROR ? "error" : "warning", f->line,
                         f->column);
            csv_string(stdout, f->message);
            (void)printf("\n");
        }
    } else if (status == EXIT_SOLVED && !s->options->quiet) {
        char states[NUMBER_SIZE];
        (void)printf("%s: no errors, %zu warning%s, %s state%s\n", model_name(s->options),
                     s->findings.count, s->findings.count == 1 ? "" : "s",
                     number_grouped(s->info.states, states), s->info.states == 1 ? "" : "s");
    }
    int written = finish_output();
    return status == EXIT_SOLVED ? written : status;
}

/* A number is null where there is none, or where it is infinite, which JSON cannot say. */
static int verdict_json(const Session *s, const PepaVerdict *v)
{
    json_begin(s);
    (void)printf(",\n  \"formula\": ");
    json_string(stdout, s->options->csl);
    (void)printf(",\n  \"value\": ");
    json_number(isfinite(v->value) ? v->value : NAN);
    (void)printf(", \"holds\": %s, \"error_bound\": ", v->holds < 0 ? "null"
                                                       : v->holds   ? "true"
                                                                    : "false");
    json_number(isfinite(v->error_bound) ? v->error_bound : NAN);
    (void)printf(", \"infinite\": %s, \"steps\": %lld", isinf(v->value) ? "true" : "false",
                 (long long)v->steps);
    json_end(s, "check", v->seconds);
    return finish_output();
}

static int verdict_csv(const Session *s, const PepaVerdict *v)
{
    (void)printf("formula,value,holds,error_bound\n");
    csv_string(stdout, s->options->csl);
    (void)printf(",");
    if (!isnan(v->value))
        (void)printf(FULL, v->value);
    (void)printf(",%s," FULL "\n", v->holds < 0 ? "" : v->holds ? "true" : "false", v->error_bound);
    return finish_output();
}

/* How many digits of x its error leaves: 1 to 10. */
static int digits_left(double x, double error)
{
    return (int)fmin(fmax(floor(log10(fabs(x) / error)) + 1, 1), 10);
}

static int verdict_text(const Session *s, const PepaVerdict *v)
{
    text_begin(s);
    (void)printf("%s\n\n", s->options->csl);
    if (v->holds >= 0)
        (void)printf("%s in the initial state.\n", v->holds ? "Holds" : "Does not hold");
    if (isinf(v->value))
        (void)printf("Value: infinite, exactly.\n");
    else if (!isnan(v->value) && v->error_bound == 0)
        (void)printf("Value: %.10g, exactly.\n", v->value);
    else if (!isnan(v->value))
        (void)printf("Value: %.*g, with an error of at most %.1e.\n",
                     digits_left(v->value, v->error_bound), v->value, v->error_bound);
    (void)printf("%.3g s in all.\n", s->parse_seconds + s->derive_seconds + v->seconds);
    return finish_output();
}

static int check_formula(Session *s)
{
    const Options *o = s->options;
    const PepaSettings set = session_settings(s);
    PepaError err = {0};
    PepaVerdict verdict;
    PepaStatus status = pepa_formula_check(s->formula, s->chain, &set, &verdict, &err);
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    return o->json  ? verdict_json(s, &verdict)
           : o->csv ? verdict_csv(s, &verdict)
                    : verdict_text(s, &verdict);
}

int cmd_check(Options *options)
{
    Session s;
    if (options->set.solve.tolerance > 0 && !options->csl)
        return fail(EXIT_USAGE, "%s: --tolerance is of a formula: give --csl FORMULA",
                    options->command->called);
    int status = session_derive(&s, options);
    if (status == EXIT_SOLVED && options->csl)
        status = check_formula(&s);
    else if (status == EXIT_SOLVED || (status == EXIT_MODEL && !options->csl))
        status = report_check(&s, status);
    session_free(&s);
    return status;
}
