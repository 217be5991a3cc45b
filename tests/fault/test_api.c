/* Every public function of libpepa, one by one, with each of its allocations failing, alone or with
 * all that follow: it answers PEPA_ENOMEM and writes no output, what it was given is as before, and
 * the same call then does what it would have done.  Where a failure is got over, the answer is the
 * same.  Nothing leaks (seen by the leak checker of `make asan`). */
#include <stdio.h>

#include "fault/memory.h"
#include "fault/world.h"

typedef PepaStatus Call(World *w, PepaError *err);

static const char small[] = "r = 2; s = r * 2;\nP = (a, s).Q; Q = (b, T).P; P <a> P || Q";

static PepaStatus call_parse(World *w, PepaError *err)
{
    PepaModel *out = NULL;
    PepaDefine define = {"r", 3};
    PepaReading how = {.defines = &define, .define_count = 1};
    PepaStatus status = pepa_model_parse(&out, "m", small, strlen(small), &how, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    if (out)
        text_add(&w->said, "%g", pepa_model_rate_value(out, 1));
    pepa_model_free(out);
    return status;
}

static PepaStatus call_load(World *w, PepaError *err)
{
    PepaModel *out = NULL;
    PepaStatus status = pepa_model_load(&out, "models/pipeline3.pepa", NULL, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    if (out)
        text_add(&w->said, "%d rates", pepa_model_rate_count(out));
    pepa_model_free(out);
    return status;
}

static PepaStatus call_print(World *w, PepaError *err)
{
    char *out = NULL;
    PepaStatus status = pepa_model_print(w->model, &out, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    text_add(&w->said, "%s", out ? out : "");
    pepa_text_free(out);
    return status;
}

static PepaStatus call_derive(World *w, PepaError *err)
{
    PepaChain *out = NULL;
    PepaStatus status = pepa_chain_derive(&out, w->model, NULL, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    if (out)
        show_chain(&w->said, out);
    pepa_chain_free(out);
    return status;
}

static PepaStatus call_state_counts(World *w, PepaError *err)
{
    int32_t counts[16] = {-7};
    PepaStatus status = pepa_chain_state_counts(w->chain, 1, counts, err);
    cr_assert_eq(status == PEPA_OK, counts[0] != -7);
    for (int32_t i = 0; status == PEPA_OK && i < pepa_chain_info(w->chain).counts; i++)
        text_add(&w->said, "%d ", counts[i]);
    return status;
}

static PepaStatus call_state_text(World *w, PepaError *err)
{
    char *out = NULL;
    PepaStatus status = pepa_chain_state_text(w->chain, 2, &out, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    text_add(&w->said, "%s", out ? out : "");
    pepa_text_free(out);
    return status;
}

static PepaStatus call_generator(World *w, PepaError *err)
{
    PepaMatrix q = {.n = -7};
    PepaStatus status = pepa_chain_generator(w->chain, &q, err);
    cr_assert_eq(status == PEPA_OK, q.n != -7);
    if (status != PEPA_OK)
        return status;
    say_numbers(w, q.val, (int32_t)q.row[q.n]);
    pepa_matrix_free(&q);
    return status;
}

static PepaStatus call_set_rate(World *w, PepaError *err)
{
    return pepa_chain_set_rate(w->chain, "r", 2.5, err);
}

static PepaStatus call_set_rates(World *w, PepaError *err)
{
    PepaDefine rates[] = {{"s", 1.5}, {"r", 0.5}};
    return pepa_chain_set_rates(w->chain, rates, 2, err);
}

static PepaStatus call_solve(World *w, PepaError *err)
{
    double pi[STATES];
    PepaInfo info = {.iterations = -7};
    PepaStatus status = pepa_solve_steady(w->chain, NULL, pi, &info, err);
    cr_assert_eq(status == PEPA_OK, info.iterations != -7);
    if (status == PEPA_OK)
        say_numbers(w, pi, pepa_chain_info(w->chain).states);
    return status;
}

static PepaStatus call_steady_new(World *w, PepaError *err)
{
    PepaSteady *out = NULL;
    PepaStatus status = pepa_steady_new(&out, w->chain, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    pepa_steady_free(out);
    return status;
}

static PepaStatus call_steady_solve(World *w, PepaError *err)
{
    double pi[STATES];
    PepaStatus status = pepa_steady_solve(w->steady, NULL, pi, NULL, err);
    if (status == PEPA_OK)
        say_numbers(w, pi, pepa_chain_info(w->chain).states);
    return status;
}

static PepaStatus call_sensitivities(World *w, PepaError *err)
{
    double potential[STATES], slope[RATES] = {-7};
    PepaInfo info = {.iterations = -7};
    PepaStatus status =
        pepa_steady_sensitivities(w->steady, NULL, w->pi, "a", potential, slope, &info, err);
    cr_assert_eq(status == PEPA_OK, info.iterations != -7);
    cr_assert(status == PEPA_OK || (slope[0] <= -7 && slope[0] >= -7));
    if (status == PEPA_OK)
        say_numbers(w, slope, RATES);
    return status;
}

static PepaStatus call_utilisations(World *w, PepaError *err)
{
    double share[16] = {-7};
    PepaStatus status = pepa_utilisations(w->chain, w->pi, share, err);
    cr_assert_eq(status == PEPA_OK, share[0] >= 0);
    if (status == PEPA_OK)
        say_numbers(w, share, pepa_chain_info(w->chain).counts);
    return status;
}

static PepaStatus call_populations(World *w, PepaError *err)
{
    double mean[16] = {-7};
    PepaStatus status = pepa_populations(w->chain, w->pi, mean, err);
    cr_assert_eq(status == PEPA_OK, mean[0] >= 0);
    if (status == PEPA_OK)
        say_numbers(w, mean, pepa_chain_info(w->chain).local_states);
    return status;
}

Test(fault_api, models)
{
    replay("pepa_model_parse", call_parse);
    replay("pepa_model_load", call_load);
    replay("pepa_model_print", call_print);
}

Test(fault_api, chains)
{
    replay("pepa_chain_derive", call_derive);
    replay("pepa_chain_state_counts", call_state_counts);
    replay("pepa_chain_state_text", call_state_text);
    replay("pepa_chain_generator", call_generator);
    replay("pepa_chain_set_rate", call_set_rate);
    replay("pepa_chain_set_rates", call_set_rates);
}

Test(fault_api, solutions)
{
    replay("pepa_solve_steady", call_solve);
    replay("pepa_steady_new", call_steady_new);
    replay("pepa_steady_solve", call_steady_solve);
    replay("pepa_steady_sensitivities", call_sensitivities);
    replay("pepa_utilisations", call_utilisations);
    replay("pepa_populations", call_populations);
}

/* What has no way to say that memory is out does not ask for any. */
Test(fault_api, need_no_memory)
{
    World w;
    PepaMethod method = PEPA_AUTO;
    double each[16], one;
    world_new(&w);
    mem_fail_at(1, true);
    cr_expect(pepa_version()[0] && pepa_status_text(PEPA_ENOMEM)[0]);
    cr_expect_eq(pepa_method_find("gth", &method, NULL), PEPA_OK);
    cr_expect(pepa_method_name(method)[0] && pepa_method_about(method)[0]);
    cr_expect_eq(pepa_model_rate_count(w.model), RATES);
    cr_expect(pepa_model_action_count(w.model) > 1);
    cr_expect_str_eq(pepa_model_action_name(w.model, 0), "tau");
    cr_expect(pepa_model_rate_name(w.model, 0)[0] && pepa_model_rate_value(w.model, 0) > 0);
    show_chain(&w.said, w.chain);
    pepa_throughputs(w.chain, w.pi, each);
    cr_expect_eq(pepa_throughput(w.chain, w.pi, "a", &one, NULL), PEPA_OK);
    cr_expect_eq(mem_allocations(), 0);
    mem_fail_at(0, false);
    world_free(&w);
}
