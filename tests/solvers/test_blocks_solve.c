/* Solutions by sweeps over blocks are those of elimination; what ends otherwise says how. */
#include "block_cases.h"

static void expect_solved(Case *c, const char *what, PepaMethod method, double *x)
{
    PepaError err = {0};
    Outcome out;
    const Control control = {.tolerance = 1e-12};
    PepaStatus status = solve_blocks(&c->blocks, method, 1, HUGE_VAL, &control, x, &out, &err);
    cr_assert_eq(status, PEPA_OK, "%s, %s: %s", what, pepa_method_name(method), err.message);
    cr_expect(out.residual <= 1e-12 && out.iterations > 0);
    double sum = 0, off = 0;
    for (int64_t i = 0; i < c->n; i++) {
        cr_assert_geq(x[i], 0);
        sum += x[i];
        off += fabs(x[i] - c->exact[i]);
    }
    cr_expect(fabs(sum - 1) <= 1e-12 && off <= 1e-9, "%s, %s: off by %g", what,
              pepa_method_name(method), off);
}

Test(blocks, solutions_are_those_of_elimination)
{
    static const PepaMethod methods[] = {PEPA_GAUSS_SEIDEL, PEPA_SOR, PEPA_AUTO};
    for (int i = 0; i < CASES; i++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            for (int up = 0; up < 2; up++) {
                Case c;
                case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
                if (up == c.blocks.up) {
                    arbitrary(c.x, c.n);
                } else { /* the order that suits less; without relaxation that may go in circles */
                    c.blocks.up = up;
                    if (methods[m] == PEPA_GAUSS_SEIDEL)
                        c.blocks.up = !up;
                    for (int64_t k = 0; k < c.n; k++) /* nor is this any guess */
                        c.x[k] = k % 3 ? NAN : k % 2 ? -1 : 0;
                }
                expect_solved(&c, cases[i].what, methods[m], c.x);
                case_free(&c);
            }
}

Test(blocks, solutions_by_threads)
{
    static const int32_t threads[] = {2, 3, 8};
    static const PepaMethod methods[] = {PEPA_GAUSS_SEIDEL, PEPA_SOR, PEPA_AUTO};
    for (int i = 0; i < CASES; i++) {
        Case c;
        case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            PepaError err = {0};
            Outcome one, other;
            const Control control = {.tolerance = 1e-10};
            arbitrary(c.x, c.n);
            cr_assert_eq(solve_blocks(&c.blocks, methods[m], 1, HUGE_VAL, &control, c.x, &one,
                                      &err),
                         PEPA_OK);
            for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
                arbitrary(c.y, c.n);
                cr_assert_eq(solve_blocks(&c.blocks, methods[m], threads[t], HUGE_VAL, &control,
                                          c.y, &other, &err),
                             PEPA_OK);
                cr_expect_eq(one.iterations, other.iterations);
                cr_assert_eq(memcmp(c.x, c.y, (size_t)c.n * sizeof *c.x), 0, "%s, %d threads",
                             cases[i].what, threads[t]);
            }
        }
        case_free(&c);
    }
}

/* However it ends, the vector is a distribution, and the residual told is its own. */
static void expect_distribution(Case *c, const Outcome *out)
{
    BlocksWorkspace room;
    double sum = 0, by_time;
    for (int64_t i = 0; i < c->n; i++) {
        cr_assert(c->x[i] >= 0);
        sum += c->x[i];
    }
    cr_expect(fabs(sum - 1) <= 1e-12);
    cr_assert(blocks_workspace_init(&room, &c->blocks, 1));
    cr_expect_eq(blocks_residual(&c->blocks, c->x, &room, &by_time), out->residual);
    blocks_workspace_free(&room);
}

static int cancel(void *user, const PepaProgress *now)
{
    cr_expect_str_eq(now->phase, "solve");
    return *(int *)user;
}

Test(blocks, ends_without_a_solution)
{
    static const PepaMethod methods[] = {PEPA_GAUSS_SEIDEL, PEPA_SOR, PEPA_AUTO};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        PepaError err = {0};
        Outcome out;
        Case c;
        int stop = 1;
        case_new(&c, "kanban 1", 1, 64);
        Control control = {.tolerance = 1e-12};
        for (int64_t most = 1; most < 20; most += most) {
            control.max_iter = most;
            arbitrary(c.x, c.n);
            cr_assert_eq(solve_blocks(&c.blocks, methods[m], 1, HUGE_VAL, &control, c.x, &out,
                                      &err),
                         PEPA_ENOCONV);
            cr_expect_eq(out.iterations, most);
            cr_expect(strstr(err.message, " ran out of iterations at residual "), "%s",
                      err.message);
            expect_distribution(&c, &out);
        }
        control = (Control){.tolerance = 1e-12, .progress = cancel, .user = &stop};
        arbitrary(c.x, c.n);
        cr_assert_eq(solve_blocks(&c.blocks, methods[m], 1, HUGE_VAL, &control, c.x, &out, &err),
                     PEPA_ECANCEL);
        expect_distribution(&c, &out);
        control = (Control){.tolerance = 1e-300};
        control.max_iter = 2000;
        arbitrary(c.x, c.n);
        cr_assert_eq(solve_blocks(&c.blocks, methods[m], 1, HUGE_VAL, &control, c.x, &out, &err),
                     PEPA_ENOCONV);
        expect_distribution(&c, &out);
        cr_expect_leq(out.residual, 1e-12);
        case_free(&c);
    }
}

/* Where sweeps converge slowly the error is many times the change of the last: they go on until the
 * error is about the tolerance, and no longer. */
Test(blocks, the_error_is_about_the_tolerance)
{
    static const PepaMethod methods[] = {PEPA_GAUSS_SEIDEL, PEPA_SOR};
    const Control control = {.tolerance = 1e-8};
    for (int i = 0; i < 2; i++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            PepaError err = {0};
            Outcome out;
            Case c;
            double off = 0;
            case_new(&c, i ? "tandem 20" : "clients 30", !i, i ? 100 : 1000);
            arbitrary(c.x, c.n);
            cr_assert_eq(solve_blocks(&c.blocks, methods[m], 1, HUGE_VAL, &control, c.x, &out,
                                      &err),
                         PEPA_OK, "%s", err.message);
            for (int64_t k = 0; k < c.n; k++)
                off += fabs(c.x[k] - c.exact[k]);
            cr_expect(off <= 1.5e-8 && out.iterations > 60 && out.iterations < 600,
                      "%s: off by %g after %lld", out.method, off, (long long)out.iterations);
            case_free(&c);
        }
}

/* A fast pair, and a slow walk S0 .. S9 that the chain hardly ever enters: whatever is wrong there
 * is hardly any flow, but nearly all of the time.  So sweeps go on. */
Test(blocks, out_of_balance_by_time)
{
    PepaError err = {0};
    Outcome out;
    Case c;
    Text text = {0};
    text_add(&text, "U = (a, T).V; V = (b, T).U + (r, T).U;\nF0 = (a, 1).F1;\n"
                    "F1 = (b, 1).F0 + (s, 1e-7).S0;\nS0 = (r, 1e-7).F0 + (s, 2e-7).S1;\n");
    for (int i = 1; i < 9; i++)
        text_add(&text, "S%d = (s, 2e-7).S%d + (s, 1e-7).S%d;\n", i, i + 1, i - 1);
    text_add(&text, "S9 = (s, 1e-7).S8;\nU <a, b, r> F0");
    case_new(&c, text.text, 0, 12);
    Control control = {.tolerance = 1e-5};
    arbitrary(c.x, c.n);
    cr_assert_eq(solve_blocks(&c.blocks, PEPA_GAUSS_SEIDEL, 1, HUGE_VAL, &control, c.x, &out, &err),
                 PEPA_OK, "%s", err.message);
    double *pi = twice_room((size_t)c.n, sizeof *pi);
    for (int64_t k = 0; k < c.n; k++)
        pi[c.twice.id[k]] = c.x[k];
    Certificate found = certificate_by_hand(c.twice.chain, pi);
    cr_expect(found.residual <= 1e-5 && found.by_time <= 1e-5, "%g, %g", found.residual,
              found.by_time);
    control.max_iter = 2;
    arbitrary(c.x, c.n);
    cr_expect_eq(solve_blocks(&c.blocks, PEPA_GAUSS_SEIDEL, 1, HUGE_VAL, &control, c.x, &out, &err),
                 PEPA_ENOCONV);
    cr_expect(out.residual <= 1e-5 && strstr(err.message, "states with rare visits and long stays"),
              "%s", err.message);
    free(pi);
    case_free(&c);
    text_free(&text);
}

/* Where more sweeps seem to be left than the caller has patience for, it says so early. */
Test(blocks, patience)
{
    PepaError err = {0};
    Outcome out;
    Case c;
    const Control control = {.tolerance = 1e-12};
    case_new(&c, "clients 30", 1, 1000);
    arbitrary(c.x, c.n);
    PepaStatus status = solve_blocks(&c.blocks, PEPA_SOR, 1, HUGE_VAL, &control, c.x, &out, &err);
    cr_assert_eq(status, PEPA_OK, "%s", err.message);
    int64_t all = out.iterations;
    cr_assert_gt(all, 60);
    arbitrary(c.x, c.n);
    double cost = blocks_cost(&c.blocks); /* of a sweep */
    status = solve_blocks(&c.blocks, PEPA_SOR, 1, 1e6 * cost, &control, c.x, &out, &err);
    cr_expect(status == PEPA_OK && out.iterations == all);
    arbitrary(c.x, c.n);
    status = solve_blocks(&c.blocks, PEPA_SOR, 1, 5 * cost, &control, c.x, &out, &err);
    cr_expect_eq(status, PEPA_ENOCONV);
    cr_expect(out.iterations < all && out.left > 5, "%lld of %lld", (long long)out.iterations,
              (long long)all);
    expect_distribution(&c, &out);
    case_free(&c);
}

/* The method's name says what ran: without memory for earlier iterates, plain sweeps, bit by bit.
 * */
Test(blocks, names_say_what_ran)
{
    static const Control plenty = {.tolerance = 1e-12}, none = {.tolerance = 1e-12, .memory = 1};
    PepaError err = {0};
    Outcome out;
    Case c;
    case_new(&c, "kanban 1", 1, 64);
    arbitrary(c.x, c.n);
    cr_assert_eq(solve_blocks(&c.blocks, PEPA_AUTO, 1, HUGE_VAL, &plenty, c.x, &out, &err),
                 PEPA_OK);
    cr_expect_eq(strncmp(out.method, "gauss-seidel with extrapolation", 31), 0, "%s", out.method);
    int64_t quick = out.iterations;
    arbitrary(c.x, c.n);
    cr_assert_eq(solve_blocks(&c.blocks, PEPA_GAUSS_SEIDEL, 1, HUGE_VAL, &plenty, c.x, &out, &err),
                 PEPA_OK);
    cr_expect_str_eq(out.method, "gauss-seidel");
    cr_expect_lt(quick, out.iterations);
    arbitrary(c.y, c.n);
    cr_assert_eq(solve_blocks(&c.blocks, PEPA_AUTO, 1, HUGE_VAL, &none, c.y, &out, &err), PEPA_OK);
    cr_expect_str_eq(out.method, "gauss-seidel");
    cr_expect_eq(memcmp(c.x, c.y, (size_t)c.n * sizeof *c.x), 0);
    case_free(&c);
}
