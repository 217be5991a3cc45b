/* Samples and fits with each allocation failing. */
#include <unistd.h>

#include "fault/memory.h"
#include "fault/world.h"
#include "pepa_fit.h"

static const char text[] = "time\n1\n2\n0.5\n0.25\n7\n1.5\n9\n0.1\n0.2\n0.3\n";
static const double value[] = {1, 2, 0.5, 0.25, 7, 1.5, 9, 0.1, 0.2, 0.3};
enum { VALUES = sizeof value / sizeof *value };
static PepaFit *fit;

static PepaStatus finish(World *w, PepaSamples *s, PepaStatus status)
{
    cr_assert_eq(status == PEPA_OK, s != NULL);
    if (s)
        say_numbers(w, pepa_samples_values(s), (int64_t)pepa_samples_count(s));
    pepa_samples_free(s);
    return status;
}

static PepaStatus call_parse(World *w, PepaError *err)
{
    PepaSamples *s = NULL;
    PepaStatus status = pepa_samples_parse(&s, "s", text, sizeof text - 1, "time", NULL, NULL, err);
    return finish(w, s, status);
}

static char path[] = "/tmp/pepa_fit_XXXXXX";

static PepaStatus call_load(World *w, PepaError *err)
{
    PepaSamples *s = NULL;
    PepaStatus status = pepa_samples_load(&s, path, NULL, NULL, NULL, err);
    return finish(w, s, status);
}

static PepaStatus call_new(World *w, PepaError *err)
{
    const PepaFitSettings set = {.max_phases = 3, .max_iter = 20};
    PepaFit *f = NULL;
    PepaStatus status = pepa_fit_new(&f, value, VALUES, &set, NULL, err);
    cr_assert_eq(status == PEPA_OK, f != NULL);
    if (f) {
        const PepaFitInfo info = pepa_fit_info(f);
        const double told[] = {pepa_fit_candidate(f, info.chosen).bic, pepa_fit_rate(f, 0),
                               pepa_fit_probability(f, 0), pepa_fit_sample(f, 0)};
        cr_assert_str_eq(pepa_fit_family_name(PEPA_FIT_COX), "cox");
        say_numbers(w, told, 4);
    }
    pepa_fit_free(f);
    return status;
}

static PepaStatus call_test(World *w, PepaError *err)
{
    PepaFitTest test = {.kolmogorov = -7};
    double cdf;
    cr_assert_eq(pepa_fit_at(fit, 1, &cdf, NULL, err), PEPA_OK); /* it allocates nothing */
    PepaStatus status = pepa_fit_test(fit, 2, 1, NULL, &test, err);
    if (status != PEPA_OK)
        cr_assert_eq(test.kolmogorov, -7);
    else
        say_numbers(w, &test.kolmogorov, 1);
    return status;
}

static PepaStatus call_text(World *w, PepaError *err)
{
    char *written = NULL;
    PepaStatus status = pepa_fit_text(fit, "a", 1, &written, err);
    cr_assert_eq(status == PEPA_OK, written != NULL);
    if (written)
        text_add(&w->said, "%s", written);
    pepa_text_free(written);
    return status;
}

Test(fault_fit_api, all)
{
    const PepaFitSettings set = {.family = PEPA_FIT_COX, .phases = 3};
    mem_fail_at(0, false);
    const int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    (void)close(file);
    cr_assert_eq(pepa_fit_new(&fit, value, VALUES, &set, NULL, NULL), PEPA_OK);
    replay("pepa_samples_parse", call_parse);
    replay("pepa_samples_load", call_load);
    replay("pepa_fit_new", call_new);
    replay("pepa_fit_test", call_test);
    replay("pepa_fit_text", call_text);
    mem_fail_at(0, false);
    pepa_fit_free(fit);
    (void)unlink(path);
}
