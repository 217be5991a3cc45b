#include "fault/world.h"

#include "fault/memory.h"

static const char model_text[] = "r = 2.0; s = min(r, 3) * 2;\n"
                                 "P = (a, r).P + (c, r + s).Q; Q = (d, Q * r).P;\n"
                                 "S = (a, T).S1; S1 = (e, 1).S; R = (f, 1).(g, 2).R;\n"
                                 "(P[2] <a> S) || R[2]";
static const char measures_text[] = "X = throughput:d\nN = population:Q\nN / X + 0 * response:Q\n"
                                    "probability:{Q >= 1 && enabled(a) || P == 2 * r}";
static const char predicate_text[] = "min(Q, 1) > 0 && !enabled(e) || deadlock";
const char world_description[] =
    "pipeline { stage a output 2; stage b work 2; }\n"
    "processors { p time 0.1; q time 0.12; r time 0.12; s1 time 1; s2 time 1;\n"
    "  s3 time 1; s4 time 1; s5 time 1; }\n"
    "network { latency default 0.01; latency local 0.0001; latency p q 0.02; bandwidth p q 5; }\n"
    "mappings { (p,p); (p,q); (q,r); (r,r); }\ninput p;";
enum { PARTS = 2 * STAGES + 1, SAID = 1 << 16 };

void world_new(World *w)
{
    PepaError err = {0};
    *w = (World){0};
    mem_fail_at(0, false);
    cr_assert(mem_reserve(&w->said.text, &w->said.cap, SAID, 1));
    text_add(&w->said, "%s", "");
    cr_assert_eq(pepa_model_parse(&w->model, "m", model_text, strlen(model_text), NULL, &err) ||
                     pepa_chain_derive(&w->chain, w->model, NULL, &err) ||
                     pepa_steady_new(&w->steady, w->chain, &err),
                 PEPA_OK, "%s", err.message);
    cr_assert_leq(pepa_chain_info(w->chain).states, STATES);
    cr_assert_eq(pepa_solve_steady(w->chain, NULL, w->pi, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_measures_new(&w->measures, w->model, &err) ||
                     pepa_measures_add(w->measures, "m", measures_text, strlen(measures_text), NULL,
                                       NULL, &err) ||
                     pepa_predicate_new(&w->predicate, w->model, "p", predicate_text,
                                        strlen(predicate_text), NULL, NULL, &err),
                 PEPA_OK, "%s", err.message);
    cr_assert_eq(amoget_parse(&w->desc, "d", world_description, strlen(world_description), NULL,
                              &err) ||
                     amoget_ranker_new(&w->ranker, w->desc, NULL, &err),
                 PEPA_OK, "%s", err.message);
}

void world_free(World *w)
{
    amoget_ranker_free(w->ranker);
    amoget_free(w->desc);
    pepa_predicate_free(w->predicate);
    pepa_measures_free(w->measures);
    pepa_steady_free(w->steady);
    pepa_chain_free(w->chain);
    pepa_model_free(w->model);
    text_free(&w->said);
}

void show_chain(Text *out, const PepaChain *chain)
{
    PepaChainInfo info = pepa_chain_info(chain);
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(chain, &t, NULL);
    text_add(out, "%lld states", (long long)info.states);
    for (int32_t p = 0; p < info.positions; p++) {
        PepaPosition position = pepa_chain_position(chain, p);
        text_add(out, " %s[%d]", position.component, position.copies);
        for (int32_t l = 0; l < position.local_count; l++)
            text_add(out, " %s", pepa_chain_local_name(chain, position.local[l]));
    }
    for (int32_t s = 0; s < info.states; s++) {
        text_add(out, "\n%d/%d:", s, pepa_chain_bottom(chain, s));
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++)
            text_add(out, " %s %.17g to %d",
                     pepa_chain_action_name(chain, pepa_transition_action(&t, k)),
                     pepa_transition_rate(&t, k), t.target[k]);
    }
    text_add(out, "\n");
}

void show_description(Text *out, const AmogetDescription *desc)
{
    int32_t stages = amoget_stage_count(desc),
            processors = amoget_processor_count(amoget_machine(desc));
    for (int32_t i = 0; i < stages; i++)
        text_add(out, "%s=%d ", amoget_stage_name(desc, i),
                 amoget_find_stage(desc, amoget_stage_name(desc, i)));
    for (int32_t j = 0; j < processors; j++)
        text_add(out, "%s=%d ", amoget_processor_name(amoget_machine(desc), j),
                 amoget_find_processor(amoget_machine(desc),
                                       amoget_processor_name(amoget_machine(desc), j)));
    for (int64_t k = 0; k < amoget_mapping_count(desc); k++)
        for (int32_t i = 0; i < stages; i++)
            text_add(out, "%s%d", i ? "," : " ", amoget_mapping(desc, k)[i]);
    for (int32_t k = 0; stages == STAGES && k < processors * processors; k++) {
        double seconds[PARTS];
        int32_t mapping[] = {k / processors, k % processors};
        PepaStatus status = amoget_durations(desc, mapping, seconds, NULL);
        text_add(out, "\n%d", (int)status);
        for (int32_t a = 0; status == PEPA_OK && a < PARTS; a++)
            text_add(out, " %.17g", seconds[a]);
    }
    text_add(out, "\n");
}

/* All that can be seen of a world.  To be freed. */
static Text show(const World *w)
{
    Text out = {0};
    for (int32_t r = 0; r < pepa_model_rate_count(w->model); r++)
        text_add(&out, "%s = %.17g\n", pepa_model_rate_name(w->model, r),
                 pepa_model_rate_value(w->model, r));
    show_chain(&out, w->chain);
    for (int32_t i = 0; i < pepa_measures_count(w->measures); i++)
        text_add(&out, "%s\n", pepa_measures_name(w->measures, i));
    show_description(&out, w->desc);
    text_add(&out, "%s", w->said.text);
    cr_assert(!out.failed);
    return out;
}

void say_numbers(World *w, const double *numbers, int64_t count)
{
    for (int32_t i = 0; i < count; i++)
        text_add(&w->said, " %.7g", numbers[i]);
}

/* The call with allocation k failing, or it and all after it: where that fails, nothing has changed. */
static PepaStatus call_in_need(World *w, const char *name, Call *call, int64_t k, bool and_after,
                               const char *untouched)
{
    PepaError err = {0};
    mem_fail_at(k, and_after);
    const PepaStatus status = call(w, &err);
    const bool reached = k > 0 && mem_allocations() >= k;
    mem_fail_at(0, false);
    cr_assert(status == PEPA_OK || (status == PEPA_ENOMEM && reached), "%s, allocation %d: %s",
              name, (int)k, pepa_status_text(status));
    if (status == PEPA_ENOMEM) {
        cr_assert(err.code == PEPA_ENOMEM && err.message[0], "%s, allocation %d", name, (int)k);
        cr_assert_eq(w->said.length, 0);
        Text after = show(w);
        cr_assert_str_eq(after.text, untouched, "%s, allocation %d, changed something", name,
                         (int)k);
        text_free(&after);
    }
    return status;
}

static void has_done(const World *w, const char *name, int64_t k, const char *wanted)
{
    Text now = show(w);
    cr_assert(!w->said.failed);
    cr_assert_str_eq(now.text, wanted, "%s, after allocation %d, does something else", name,
                     (int)k);
    text_free(&now);
}

/* The call on a new world with allocation k failing alone, then with all that follow, then with none failing; where it gets
 * by without some of them, what follows has a world of its own. */
static void fail_at(const char *name, Call *call, int64_t k, const char *untouched,
                    const char *wanted)
{
    enum { ALONE, WITH_ALL, NONE };
    World w;
    bool new = true;
    for (int failing = ALONE; failing <= NONE && (failing < NONE || !new); failing++) {
        if (new)
            world_new(&w);
        new = call_in_need(&w, name, call, failing == NONE ? 0 : k, failing == WITH_ALL,
                           untouched) == PEPA_OK;
        if (new) {
            has_done(&w, name, k, wanted);
            world_free(&w);
        }
    }
}

void replay(const char *name, Call *call)
{
    World w;
    PepaError err = {0};
    world_new(&w);
    Text untouched = show(&w);
    mem_note(true);
    cr_assert_eq(call(&w, &err), PEPA_OK, "%s: %s", name, err.message);
    mem_note(false);
    const int64_t allocations = mem_allocations();
    cr_assert_gt(allocations, 0, "%s allocates nothing", name);
    Text wanted = show(&w);
    world_free(&w);
    for (int64_t k = 1; k <= allocations; k = mem_fail_next(k))
        fail_at(name, call, k, untouched.text, wanted.text);
    text_free(&untouched);
    text_free(&wanted);
}
