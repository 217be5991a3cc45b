/* The public functions as a client sees them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsing.h"

static const char queue[] = "arrival = 1.0; service = 2.0; n = 2;\n"
                            "Source = (in, arrival).Source;\n"
                            "Place = (in, T).Full; Full = (out, T).Place;\n"
                            "Sink = (out, service).Sink;\n"
                            "Source <in> Place[n] <out> Sink\n";

static PepaChain *derive(const char *text)
{
    PepaModel *model = parse(text);
    PepaChain *chain = NULL;
    PepaError err;
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK, "%s", err.message);
    pepa_model_free(model); /* the chain keeps what it needs */
    return chain;
}

static double throughput(const PepaChain *chain, const char *action)
{
    double pi[64], per_time = NAN;
    PepaError err;
    cr_assert_leq(pepa_chain_info(chain).states, 64);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_throughput(chain, pi, action, &per_time, &err), PEPA_OK);
    return per_time;
}

/* M/M/1/2: throughput lambda (1 - p2). */
static double mm12(double lambda, double mu)
{
    double rho = lambda / mu;
    return lambda * (1 - rho * rho / (1 + rho + rho * rho));
}

Test(api, from_text_to_throughput)
{
    PepaChain *chain = derive(queue);
    PepaChainInfo info = pepa_chain_info(chain);
    cr_assert_eq(info.states, 3);
    cr_assert_eq(info.transitions, 4);
    cr_assert_eq(info.positions, 3);
    cr_assert_eq(info.counts, 4);
    cr_assert_eq(info.local_states, 4);
    cr_assert_float_eq(throughput(chain, "out"), mm12(1, 2), 1e-12);
    PepaPosition place = pepa_chain_position(chain, 1);
    cr_assert_str_eq(place.component, "Place");
    cr_assert_eq(place.copies, 2);
    cr_assert_str_eq(pepa_chain_local_name(chain, place.local[1]), "Full");
    pepa_chain_free(chain);
}

Test(api, a_rate_change_is_as_good_as_a_fresh_model)
{
    PepaChain *chain = derive(queue);
    PepaError err;
    static const double rates[] = {0.25, 1, 2, 17};
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(pepa_chain_set_rate(chain, "arrival", rates[i], &err), PEPA_OK);
        cr_assert_float_eq(throughput(chain, "out"), mm12(rates[i], 2), 1e-12);
    }
    pepa_chain_free(chain);
}

Test(api, rate_changes_add_up)
{
    PepaChain *chain = derive(queue);
    PepaDefine both[] = {{"arrival", 3}, {"service", 5}};
    cr_assert_eq(pepa_chain_set_rate(chain, "arrival", 0.5, NULL), PEPA_OK);
    cr_assert_eq(pepa_chain_set_rate(chain, "service", 0.7, NULL), PEPA_OK);
    cr_assert_float_eq(throughput(chain, "out"), mm12(0.5, 0.7), 1e-12);
    cr_assert_eq(pepa_chain_set_rates(chain, both, 2, NULL), PEPA_OK);
    cr_assert_float_eq(throughput(chain, "out"), mm12(3, 5), 1e-12);
    both[1].rate = "servce";
    cr_assert_eq(pepa_chain_set_rates(chain, both, 2, NULL), PEPA_EARG);
    cr_assert_eq(pepa_chain_set_rates(chain, NULL, 0, NULL), PEPA_OK);
    pepa_chain_free(chain);
}

Test(api, solving_again_after_each_change)
{
    PepaChain *chain = derive(queue);
    PepaSteady *steady = NULL;
    PepaSettings set = {0};
    double pi[3], per_time;
    cr_assert_eq(pepa_steady_new(&steady, chain, NULL), PEPA_OK);
    for (double arrival = 0.1; arrival < 50; arrival *= 1.7) {
        cr_assert_eq(pepa_chain_set_rate(chain, "arrival", arrival, NULL), PEPA_OK);
        cr_assert_eq(pepa_steady_solve(steady, &set, pi, NULL, NULL), PEPA_OK);
        cr_assert_eq(pepa_throughput(chain, pi, "out", &per_time, NULL), PEPA_OK);
        cr_assert_float_eq(per_time, mm12(arrival, 2), 1e-12);
        set.solve.warm_start = 1;
    }
    pepa_steady_free(steady);
    pepa_steady_free(NULL);
    pepa_chain_free(chain);
}

Test(api, a_bad_rate_change_leaves_the_chain_as_it_was)
{
    PepaChain *chain = derive(queue);
    PepaError err;
    double before = throughput(chain, "out");
    cr_assert_eq(pepa_chain_set_rate(chain, "arival", 1, &err), PEPA_EARG);
    cr_assert_eq(pepa_chain_set_rate(chain, "n", 3, &err), PEPA_EARG);
    cr_assert(strstr(err.message, "derive again"));
    static const double bad[] = {0, -1, INFINITY, NAN};
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(pepa_chain_set_rate(chain, "arrival", bad[i], &err), PEPA_EMODEL);
    cr_assert_eq(throughput(chain, "out"), before);
    pepa_chain_free(chain);
}

Test(api, a_functional_rate_may_not_switch_on_or_off)
{
    PepaChain *chain = derive("k = 1; P = (a, 1).Q; Q = (b, 1).P; R = (c, max(0, P - k)).R;\n"
                              "P[3] || R");
    PepaError err;
    double before = throughput(chain, "c");
    cr_assert_eq(pepa_chain_set_rate(chain, "k", 2.5, &err), PEPA_EARG, "fewer states do c");
    cr_assert_eq(throughput(chain, "c"), before);
    cr_assert_eq(pepa_chain_set_rate(chain, "k", 1.5, &err), PEPA_OK, "the same states do c");
    pepa_chain_free(chain);
}

/* What depends on the state is no number to set. */
Test(api, a_functional_rate_cannot_be_set)
{
    PepaChain *chain = derive("f = 3 * Q; P = (a, 1).Q; Q = (c, f).P; P");
    double before = throughput(chain, "c");
    cr_assert_eq(pepa_chain_set_rate(chain, "f", 11, NULL), PEPA_EARG);
    cr_assert_eq(throughput(chain, "c"), before);
    pepa_chain_free(chain);
}

/* A view of the transitions follows rate changes. */
Test(api, transitions_show_the_rates_of_now)
{
    PepaChain *chain = derive(queue);
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(chain, &t, NULL);
    cr_assert_eq(pepa_transition_rate(&t, t.row[0]), 1);
    cr_assert_eq(pepa_chain_set_rate(chain, "arrival", 4, NULL), PEPA_OK);
    cr_assert_eq(pepa_transition_rate(&t, t.row[0]), 4);
    pepa_chain_free(chain);
}

Test(api, defines_replace_definitions)
{
    PepaDefine defines[] = {{"arrival", 2}, {"n", 1}};
    PepaReading how = {.defines = defines, .define_count = 2};
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaError err;
    cr_assert_eq(pepa_model_parse(&model, "q", queue, strlen(queue), &how, &err), PEPA_OK);
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_chain_info(chain).states, 2);
    cr_assert_float_eq(throughput(chain, "out"), 1.0, 1e-12);
    pepa_chain_free(chain);
    pepa_model_free(model);
    model = NULL;
    defines[0].rate = "arrivals";
    cr_assert_eq(pepa_model_parse(&model, "q", queue, strlen(queue), &how, &err), PEPA_EARG);
    cr_assert(strstr(err.message, "did you mean `arrival`"), "%s", err.message);
    cr_assert_null(model);
}

static void count(void *user, const PepaDiagnostic *each)
{
    int *seen = user;
    seen[each->severity]++;
    cr_assert_str_eq(each->file, "wrong");
    cr_assert(each->line == 0 || strchr(each->excerpt, '^'));
}

Test(api, findings_reach_the_callback_and_the_error)
{
    static const char text[] = "r = 1;\nP = (a, s).Q;\nP";
    int seen[2] = {0, 0};
    PepaReading how = {.diagnose = count, .user = seen};
    PepaModel *model = NULL;
    PepaError err;
    cr_assert_eq(pepa_model_parse(&model, "wrong", text, strlen(text), &how, &err), PEPA_EMODEL);
    cr_assert_eq(seen[PEPA_ERROR], 2);
    cr_assert_eq(err.code, PEPA_EMODEL);
    cr_assert_eq(err.line, 2);
    cr_assert_eq(err.column, 9);
    cr_assert_eq(pepa_model_parse(&model, "wrong", "P = (", 5, NULL, NULL), PEPA_ESYNTAX);
}

Test(api, thousands_of_findings_are_summed_up)
{
    char text[20000] = "", name[32];
    int seen[2] = {0, 0};
    for (int i = 0; i < 500; i++) {
        (void)snprintf(name, sizeof name, "r%d = s%d;", i, i);
        (void)strcat(text, name);
    }
    (void)strcat(text, "P = (a, 1).P; P");
    PepaReading how = {.diagnose = count, .user = seen};
    PepaModel *model = NULL;
    cr_assert_eq(pepa_model_parse(&model, "wrong", text, strlen(text), &how, NULL), PEPA_EMODEL);
    cr_assert_eq(seen[PEPA_ERROR], 101, "a hundred, and a line on the rest");
}

/* min(), pow() and division must not make a number of what is none. */
Test(api, what_is_not_finite_cannot_be_hidden_by_a_rate_change)
{
    PepaChain *chain =
        derive("x = 1; r = 1 / x; s = log(x + 1);\n"
               "P = (a, min(s, 1)).Q; Q = (b, exp(-r)).R; R = (c, pow(s, 0) + 1).P; P");
    cr_assert_eq(pepa_chain_set_rate(chain, "x", 0, NULL), PEPA_EMODEL);
    cr_assert_eq(pepa_chain_set_rate(chain, "x", -2, NULL), PEPA_EMODEL);
    cr_assert_eq(pepa_chain_set_rate(chain, "x", 2, NULL), PEPA_OK);
    pepa_chain_free(chain);
}

Test(api, arguments_are_checked)
{
    PepaModel *model = parse(queue);
    PepaChain *chain = NULL;
    PepaError err;
    PepaSettings set = {0};
    double pi[3], value;
    char *text;
    cr_assert_eq(pepa_model_parse(NULL, "x", "", 0, NULL, &err), PEPA_EARG);
    cr_assert_eq(pepa_model_load(&model, "/no/such/file", NULL, &err), PEPA_EIO);
    set.solve.tolerance = NAN;
    cr_assert_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_EARG);
    set = (PepaSettings){0};
    set.solve.method = (PepaMethod)77;
    cr_assert_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_EARG);
    cr_assert_eq(pepa_chain_derive(&chain, NULL, NULL, &err), PEPA_EARG);
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_solve_steady(chain, NULL, NULL, NULL, &err), PEPA_EARG);
    cr_assert_eq(pepa_solve_steady(chain, &set, pi, NULL, &err), PEPA_EARG);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_throughput(chain, pi, "nothing", &value, &err), PEPA_EARG);
    cr_assert_eq(pepa_chain_state_text(chain, 3, &text, &err), PEPA_EARG);
    cr_assert_eq(pepa_chain_state_text(chain, -1, &text, &err), PEPA_EARG);
    cr_assert_eq(pepa_throughput(NULL, pi, "in", &value, &err), PEPA_EARG);
    cr_assert_eq(pepa_utilisations(chain, pi, NULL, &err), PEPA_EARG);
    cr_assert_eq(pepa_populations(chain, NULL, &value, &err), PEPA_EARG);
    cr_assert_eq(pepa_method_find(NULL, &set.solve.method, &err), PEPA_EARG);
    cr_assert_eq(pepa_chain_set_rate(chain, NULL, 1, &err), PEPA_EARG);
    cr_assert_eq(pepa_chain_bottom(chain, 3), -1);
    pepa_chain_free(chain);
    pepa_model_free(model);
    pepa_chain_free(NULL);
    pepa_model_free(NULL);
    pepa_matrix_free(NULL);
    pepa_text_free(NULL);
    cr_assert_eq(pepa_steady_sensitivities(NULL, NULL, NULL, NULL, NULL, NULL, NULL, &err),
                 PEPA_EARG);
}

Test(api, methods_have_names)
{
    for (int m = 0; m < PEPA_METHOD_COUNT; m++) {
        PepaMethod found = PEPA_AUTO;
        cr_assert_eq(pepa_method_find(pepa_method_name((PepaMethod)m), &found, NULL), PEPA_OK);
        cr_assert_eq((int)found, m);
        cr_assert_not_null(pepa_method_about((PepaMethod)m));
    }
    PepaMethod found;
    PepaError err;
    cr_assert_null(pepa_method_name(PEPA_METHOD_COUNT));
    cr_assert_eq(pepa_method_find("gauss-siedel", &found, &err), PEPA_EARG);
    cr_assert(strstr(err.message, "gauss-seidel"));
}

Test(api, generator_rows_sum_to_zero)
{
    PepaChain *chain =
        derive("P = (b, 1).Q + (a, 2).P + (c, 3).Q; Q = (a, 1).P; P[3] <a> (P || Q)");
    PepaMatrix q;
    cr_assert_eq(pepa_chain_generator(chain, &q, NULL), PEPA_OK);
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(chain, &t, NULL);
    for (int32_t i = 0; i < q.n; i++) {
        double sum = 0, out = 0, diagonal = 0;
        for (int64_t k = q.row[i]; k < q.row[i + 1]; k++) {
            cr_assert(k == q.row[i] || q.col[k - 1] < q.col[k]);
            sum += q.val[k];
            diagonal = q.col[k] == i ? q.val[k] : diagonal;
        }
        for (int64_t k = t.row[i]; k < t.row[i + 1]; k++)
            out += t.target[k] == i ? 0 : pepa_transition_rate(&t, k);
        cr_assert_float_eq(sum, 0, 1e-14);
        cr_assert_float_eq(diagonal, -out, 1e-14);
    }
    pepa_matrix_free(&q);
    pepa_chain_free(chain);
}

static int stop(void *user, const PepaProgress *now)
{
    (void)now;
    ++*(int *)user;
    return 1;
}

/* Where it may end up: states of one bottom component have one number, the others -1. */
Test(api, bottom_components)
{
    PepaChain *chain = derive("P = (a, 1).Q + (b, 3).R; Q = (c, 1).Q2; Q2 = (c, 2).Q;\n"
                              "R = (d, 1).Stop; P");
    PepaChainInfo info = pepa_chain_info(chain);
    int members[2] = {0, 0}, left = 0;
    cr_assert_eq(info.bottom_components, 2);
    for (int32_t s = 0; s < info.states; s++) {
        int32_t bottom = pepa_chain_bottom(chain, s);
        if (bottom < 0)
            left++;
        else
            members[bottom]++;
    }
    cr_assert_eq(left, 2);
    cr_assert_eq(members[0] + members[1], 3);
    pepa_chain_free(chain);
    chain = derive("P = (a, 1).Q; Q = (b, 1).P; P");
    cr_assert_eq(pepa_chain_bottom(chain, 1), 0);
    pepa_chain_free(chain);
}

Test(api, cancelling_a_solution)
{
    PepaChain *chain = derive("P = (a, 1).Q; Q = (b, 1.1).R; R = (c, 1.2).S; S = (d, 1.3).P;\n"
                              "P || P || P || P || P || P || P || P || P");
    int calls = 0;
    PepaSettings set = {0};
    double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
    PepaError err;
    set.solve.method = PEPA_POWER;
    set.solve.tolerance = 1e-15;
    set.progress = stop;
    set.user = &calls;
    PepaStatus status = pepa_solve_steady(chain, &set, pi, NULL, &err);
    cr_assert(status == PEPA_ECANCEL && calls == 1, "%s after %d calls", pepa_status_text(status),
              calls);
    free(pi);
    pepa_chain_free(chain);
}

/* What is printed means the same. */
Test(api, printed_models_read_the_same)
{
    PepaModel *model = parse(queue);
    char *text = NULL, *again = NULL;
    cr_assert_eq(pepa_model_print(model, &text, NULL), PEPA_OK);
    PepaModel *second = parse(text);
    cr_assert_eq(pepa_model_print(second, &again, NULL), PEPA_OK);
    cr_assert_str_eq(text, again);
    cr_assert_eq(pepa_model_rate_count(second), 3);
    cr_assert_str_eq(pepa_model_rate_name(second, 1), "service");
    cr_assert_eq(pepa_model_rate_value(second, 1), 2);
    PepaChain *chain = derive(text);
    cr_assert_float_eq(throughput(chain, "out"), mm12(1, 2), 1e-12);
    pepa_chain_free(chain);
    pepa_text_free(text);
    pepa_text_free(again);
    pepa_model_free(model);
    pepa_model_free(second);
}
