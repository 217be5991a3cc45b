/* pepa solve, pepa check. */
#include "report.h"

int cmd_solve(Options *options)
{
    Session s = {.options = options};
    if (shared_count(&s) > 1 && (options->lump || options->explain || options->compare))
        return fail(EXIT_USAGE,
                    "pepa solve: processes share none of --lump, --explain and --compare; start it "
                    "without mpirun");
    if (options->compare && (options->lump || options->certify || options->explain))
        return fail(EXIT_USAGE,
                    "pepa solve: --compare goes with none of --lump, --certify, --explain");
    if (options->compare) {
        const int compared = session_compare(&s, NULL, 1);
        session_free(&s);
        return compared;
    }
    if (!options->checkpoint && (options->resume || options->every > 0))
        return fail(EXIT_USAGE, "pepa solve: %s goes with --checkpoint FILE",
                    options->resume ? "--resume" : "--every");
    if (options->checkpoint && options->lump)
        return fail(EXIT_USAGE, "pepa solve: --checkpoint does not go with --lump");
    if (options->lump && (options->certify || options->explain))
        return fail(EXIT_USAGE, "pepa solve: --lump goes with neither --certify nor --explain");
    int status = session_read(&s, options);
    s.shares = shared_count(&s) > 1;
    s.by_rows = s.shares && options->certify; /* which have bounds */
    if (status == EXIT_SOLVED)
        status = session_explore(&s);
    if (too_large(&s))
        advise(&s);
    if (status == EXIT_SOLVED && options->lump) {
        status = solve_lumped(&s);
        session_free(&s);
        return status;
    }
    if (status == EXIT_SOLVED) {
        status = session_solve(&s);
        if (too_large(&s))
            advise(&s);
    }
    if (status == EXIT_SOLVED && options->certify && !s.waits)
        status = session_certify(&s);
    session_peaks(&s);
    if (status == EXIT_SOLVED && !s.waits)
        status = options->json ? report_json(&s) : options->csv ? report_csv(&s) : report_text(&s);
    if (status == EXIT_SOLVED && s.checkpoint.path && !s.waits)
        checkpoint_done(&s.checkpoint);
    session_free(&s);
    return status;
}
