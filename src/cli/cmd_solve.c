/* pepa solve, pepa check. */
#include "cli.h"

int cmd_solve(Options *options)
{
    Session s;
    if (options->lump && (options->certify || options->explain))
        return fail(EXIT_USAGE, "pepa solve: --lump goes with neither --certify nor --explain");
    int status = session_derive(&s, options);
    if (status == EXIT_SOLVED && options->lump) {
        status = solve_lumped(&s);
        session_free(&s);
        return status;
    }
    if (status == EXIT_SOLVED && options->certify && s.info.bottom_components > 1)
        status = fail(EXIT_USAGE,
                      "pepa: %s: --certify is there for chains with one bottom component; this one "
                      "has %d",
                      model_name(options), s.info.bottom_components);
    if (status == EXIT_SOLVED)
        status = session_solve(&s);
    if (status == EXIT_SOLVED && options->certify)
        status = session_certify(&s);
    if (status == EXIT_SOLVED)
        status = options->json ? report_json(&s) : options->csv ? report_csv(&s) : report_text(&s);
    session_free(&s);
    return status;
}

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

int cmd_check(Options *options)
{
    Session s;
    int status = session_derive(&s, options);
    if (status == EXIT_SOLVED || status == EXIT_MODEL)
        status = report_check(&s, status);
    session_free(&s);
    return status;
}
