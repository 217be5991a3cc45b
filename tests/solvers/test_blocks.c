/* Sweeps over blocks are sweeps over the rows of the same matrix; solutions are those of
 * elimination. */
#include "solvers/blocks.h"

#include "diagrams.h"
#include "families.h"
#include "measure/longrun.h"
#include "solvers/internal.h"

/* A model as blocks, by rows, and solved by elimination. */
typedef struct {
    Model *model;
    Twice twice;
    Blocks blocks;
    FlowOwner rows;
    int64_t n;
    double *exact, *x, *y; /* by states of the blocks: pi; scratch */
} Case;

/* "tandem 5", or a text. */
static void case_new(Case *c, const char *what, int aggregate, int32_t most_lower)
{
    PepaError err = {0};
    Outcome out;
    const Control control = {.tolerance = 1e-12};
    *c = (Case){.model = strchr(what, '=') ? model_of(what) : model_of_family(what)};
    twice_new(&c->twice, c->model, aggregate, most_lower, 100000);
    cr_assert(twice_fits(&c->twice) && twice_alike(&c->twice), "%s: %s", what, c->twice.why);
    cr_assert_eq(blocks_build(&c->blocks, c->twice.diagram, &c->twice.rates, &err), PEPA_OK);
    cr_assert_eq(flow_from_blocks(&c->rows, PEPA_MATRIX_AUTO, 0, &c->blocks, &err), PEPA_OK);
    c->n = c->rows.n;
    c->exact = twice_room((size_t)c->n, sizeof *c->exact);
    c->x = twice_room((size_t)c->n, sizeof *c->x);
    c->y = twice_room((size_t)c->n, sizeof *c->y);
    for (int64_t i = 0; i < c->n; i++)
        c->y[i] = 1;
    Flow view = flow_view(&c->rows, NULL);
    cr_assert_eq(solve_gth(&view, &control, c->y, &out, &err), PEPA_OK, "%s", err.message);
    double sum = 0;
    for (int64_t i = 0; i < c->n; i++)
        sum += c->y[i] / c->rows.exit[i];
    for (int64_t i = 0; i < c->n; i++)
        c->exact[c->blocks.up ? i : c->n - 1 - i] = c->y[i] / c->rows.exit[i] / sum;
}

static void case_free(Case *c)
{
    flow_free(&c->rows);
    blocks_free(&c->blocks);
    twice_free(&c->twice);
    model_free(c->model);
    free(c->exact);
    free(c->x);
    free(c->y);
}

/* Positive, of several magnitudes, sum about 1. */
static void arbitrary(double *x, int64_t n)
{
    uint64_t state = 1;
    for (int64_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = exp(-5 * (double)(state >> 40) / (1 << 24)) / (double)n;
    }
}

static const struct {
    const char *what;
    int aggregate;
    int32_t most_lower;
} cases[] = {
    {"pipeline 4", 0, 3},
    {"pipeline 6", 0, 81},
    {"clients 6", 1, 20},
    {"clients 6", 1, 1000},
    {"clients 4", 0, 70},
    {"tandem 9", 0, 30},
    {"kanban 1", 1, 64},
    {"kanban 1", 1, 5},
    {"polling 5", 0, 4},
    {"polling 6", 0, 16384},
    {"cluster 2", 1, 300},
    {"cluster 3", 1, 16384},
    {"cluster 3", 0, 200},
    /* moves from states to themselves, within blocks and from block to block */
    {"U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; U <a> L", 0, 2},
    {"U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; L <a> U", 0, 2},
};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- sweeps -------------------------------------------------------------------------------- */

/* x_i from the others, in order of states or against it; the same tallies as blocks_sweep. */
static double sweep_rows(const Case *c, double *x, double omega, bool up, double *flow)
{
    double change = 0;
    *flow = 0;
    for (int64_t k = 0; k < c->n; k++) {
        int64_t i = up ? k : c->n - 1 - k, row = c->blocks.up ? i : c->n - 1 - i;
        double sum = 0;
        for (int64_t e = c->rows.row[row]; e < c->rows.row[row + 1]; e++) {
            int64_t col = c->rows.col[e], from = c->blocks.up ? col : c->n - 1 - col;
            sum += c->rows.val[e] * c->rows.exit[col] * x[from];
        }
        double exit = c->rows.exit[row], was = x[i];
        x[i] += omega * (sum / exit - was);
        change += fabs(x[i] - was) * exit;
        *flow += x[i] * exit;
    }
    return change;
}

/* One sweep and one more, in the order of the blocks or the opposite one. */
static void expect_same_sweeps(Case *c, const char *what, double omega, bool up, int32_t threads)
{
    Blocks view = c->blocks;
    BlocksRoom room;
    view.up = up;
    cr_assert(blocks_room_init(&room, &view, threads));
    arbitrary(c->x, c->n);
    arbitrary(c->y, c->n);
    for (int k = 0; k < 3; k++) {
        double flow = 0, flow_rows;
        double change = blocks_sweep(&view, c->x, omega, &room, k == 1 ? NULL : &flow);
        double change_rows = sweep_rows(c, c->y, omega, up, &flow_rows);
        for (int64_t i = 0; i < c->n; i++)
            cr_assert(fabs(c->x[i] - c->y[i]) <= 1e-12 * fabs(c->y[i]) + 1e-18,
                      "%s, factor %g, up %d: x[%d] is %.17g; it should be %.17g", what, omega, up,
                      (int)i, c->x[i], c->y[i]);
        cr_assert(k == 1 || (fabs(change - change_rows) <= 1e-11 * change_rows &&
                             fabs(flow - flow_rows) <= 1e-11 * (change_rows + fabs(flow_rows))),
                  "%s, factor %g, up %d: change %.17g, %.17g of flow %.17g, %.17g", what, omega, up,
                  change, change_rows, flow, flow_rows);
    }
    blocks_room_free(&room);
}

Test(blocks, sweeps_are_those_over_rows)
{
    for (int i = 0; i < CASES; i++) {
        Case c;
        case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
        for (int up = 0; up < 2; up++) {
            expect_same_sweeps(&c, cases[i].what, 1, up, 1);
            expect_same_sweeps(&c, cases[i].what, 1, up, 3);
            expect_same_sweeps(&c, cases[i].what, 1.4, up, 1);
            expect_same_sweeps(&c, cases[i].what, 0.6, up, 2);
        }
        case_free(&c);
    }
}

/* Whatever the number of threads: the same bits. */
Test(blocks, sweeps_by_threads)
{
    static const int32_t threads[] = {2, 3, 8, 64, 1000};
    static const double omega[] = {1, 1.5, 1, 0.9, 1, 1};
    for (int i = 0; i < CASES; i++) {
        Case c;
        case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            BlocksRoom alone, many;
            cr_assert(blocks_room_init(&alone, &c.blocks, 1));
            cr_assert(blocks_room_init(&many, &c.blocks, threads[t]));
            arbitrary(c.x, c.n);
            arbitrary(c.y, c.n);
            for (size_t k = 0; k < sizeof omega / sizeof *omega; k++) {
                double one = 0, other = 0;
                double a = blocks_sweep(&c.blocks, c.x, omega[k], &alone, k % 2 ? &one : NULL);
                double b = blocks_sweep(&c.blocks, c.y, omega[k], &many, k % 2 ? &other : NULL);
                cr_assert(memcmp(&a, &b, sizeof a) == 0 && memcmp(&one, &other, sizeof one) == 0);
            }
            cr_assert_eq(memcmp(c.x, c.y, (size_t)c.n * sizeof *c.x), 0, "%s, %d threads",
                         cases[i].what, threads[t]);
            blocks_room_free(&alone);
            blocks_room_free(&many);
        }
        case_free(&c);
    }
}

/* The schedule of levels: every block once, and whatever it reads, or is read by, on the same side
 * as for one thread. */
Test(blocks, levels)
{
    for (int i = 0; i < CASES; i++)
        for (int up = 0; up < 2; up++) {
            Case c;
            BlocksRoom room;
            case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
            c.blocks.up = up;
            cr_assert(blocks_room_init(&room, &c.blocks, 2));
            int32_t n = c.blocks.blocks, *place = twice_room((size_t)n, sizeof *place);
            memset(place, -1, (size_t)n * sizeof *place);
            for (int32_t k = 0; k < n; k++) {
                cr_assert(room.order[k] >= 0 && room.order[k] < n && place[room.order[k]] < 0);
                cr_assert(room.before[k] <= k && (k == 0 || room.before[k - 1] <= room.before[k]));
                place[room.order[k]] = k;
            }
            for (int32_t to = 0; to < n; to++)
                for (int64_t e = c.blocks.in_row[to]; e < c.blocks.in_row[to + 1]; e++) {
                    int32_t from = c.blocks.in[e].from;
                    bool from_first = up ? from < to : from > to;
                    int32_t early = place[from_first ? from : to];
                    int32_t late = place[from_first ? to : from];
                    cr_assert_lt(early, room.before[late]);
                }
            free(place);
            blocks_room_free(&room);
            case_free(&c);
        }
}

/* ---- residuals and aggregation -------------------------------------------------------------- */

Test(blocks, residual_is_that_of_the_chain)
{
    for (int i = 0; i < CASES; i++) {
        Case c;
        BlocksRoom room;
        double here, there;
        case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
        cr_assert(blocks_room_init(&room, &c.blocks, 1));
        double *pi = twice_room((size_t)c.n, sizeof *pi), *a = twice_room((size_t)c.n, sizeof *a);
        double *b = twice_room((size_t)c.n, sizeof *b), sum = 0;
        arbitrary(c.x, c.n);
        for (int64_t k = 0; k < c.n; k++)
            sum += c.x[k];
        for (int64_t k = 0; k < c.n; k++)
            pi[c.twice.id[k]] = c.x[k] / sum;
        double want = longrun_residual(c.twice.chain, pi, a, b, &there);
        double got = blocks_residual(&c.blocks, c.x, &room, &here);
        cr_expect(fabs(got - want) <= 1e-11 * want, "%s: %g, %g", cases[i].what, got, want);
        cr_expect(fabs(here - there) <= 1e-11 * there, "%s: %g, %g", cases[i].what, here, there);
        got = blocks_residual(&c.blocks, c.exact, &room, &here);
        cr_expect(got <= 1e-13 && here <= 1e-13, "%s: %g, %g", cases[i].what, got, here);
        c.x[c.n / 2] = NAN;
        got = blocks_residual(&c.blocks, c.x, &room, &here);
        cr_expect(isinf(got) && isinf(here));
        free(pi);
        free(a);
        free(b);
        blocks_room_free(&room);
        case_free(&c);
    }
}

/* The flow from block to block is in balance afterwards, the shares within each are as before. */
static void expect_balanced_blocks(const Case *c, const double *before, const double *x)
{
    const Blocks *b = &c->blocks;
    double *net = twice_room((size_t)b->blocks, sizeof *net), flow = 0, off = 0;
    int32_t *block = twice_room((size_t)c->n, sizeof *block);
    for (int32_t k = 0; k < b->blocks; k++)
        for (int64_t i = b->offset[k]; i < b->offset[k + 1]; i++) {
            block[i] = k;
            double was = before[i] / before[b->offset[k]], is = x[i] / x[b->offset[k]];
            cr_assert(fabs(was - is) <= 1e-12 * was);
        }
    for (int64_t row = 0; row < c->n; row++)
        for (int64_t e = c->rows.row[row]; e < c->rows.row[row + 1]; e++) {
            int64_t col = c->rows.col[e], to = b->up ? row : c->n - 1 - row;
            int64_t from = b->up ? col : c->n - 1 - col;
            double q = c->rows.val[e] * c->rows.exit[col] * x[from];
            net[block[to]] += q;
            net[block[from]] -= q;
            flow += q;
        }
    for (int32_t k = 0; k < b->blocks; k++)
        off += fabs(net[k]);
    cr_expect(off <= 1e-9 * flow, "%g of %g", off, flow);
    free(net);
    free(block);
}

Test(blocks, aggregation)
{
    for (int i = 0; i < CASES; i++) {
        Case c;
        BlocksCoarse coarse = {0};
        case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
        cr_assert(blocks_coarse_init(&coarse, &c.blocks));
        memcpy(c.x, c.exact, (size_t)c.n * sizeof *c.x);
        blocks_aggregate(&coarse, &c.blocks, c.x);
        for (int64_t k = 0; k < c.n; k++)
            cr_assert(fabs(c.x[k] - c.exact[k]) <= 1e-11 * c.exact[k], "%s", cases[i].what);
        arbitrary(c.x, c.n);
        arbitrary(c.y, c.n);
        for (int k = 0; k < 20; k++) /* each goes on where the one before has stopped */
            blocks_aggregate(&coarse, &c.blocks, c.x);
        expect_balanced_blocks(&c, c.y, c.x);
        blocks_coarse_free(&coarse);
        case_free(&c);
    }
}

Test(blocks, rare_jumps)
{
    static const struct {
        const char *rate;
        bool rare;
    } jumps[] = {{"1e-7", true}, {"3e-5", true}, {"0.01", false}, {"1", false}};
    static const char *const forms[] = {
        /* within a block, between blocks, in a tile with rates of its own */
        "P = (a, 1).Q; Q = (b, 1).P; X = (c, %s).Y + (d, 1).Z; Y = (e, 1).X; Z = (e, 1).X; P || X",
        "P = (a, 1).Q + (c, %s).R; Q = (b, 1).P; R = (b, 1).P; X = (d, 1).Y; Y = (e, 1).X; P || X",
        "P = (a, T).Q; Q = (b, 1).P; X = (a, %s).Y + (d, 1).Z; Y = (d, 1).X; Z = (a, 1).X; P <a> X",
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
            char text[256];
            Case c;
            (void)snprintf(text, sizeof text,
                           f == 0   ? forms[0]
                           : f == 1 ? forms[1]
                                    : forms[2],
                           jumps[i].rate);
            case_new(&c, text, 0, 3);
            cr_expect_eq(blocks_rare(&c.blocks), jumps[i].rare, "%s", text);
            case_free(&c);
        }
}

/* ---- solutions ------------------------------------------------------------------------------ */

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
    static const PepaMethod methods[] = {PEPA_GAUSS_SEIDEL, PEPA_SOR};
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
    BlocksRoom room;
    double sum = 0, by_time;
    for (int64_t i = 0; i < c->n; i++) {
        cr_assert(c->x[i] >= 0);
        sum += c->x[i];
    }
    cr_expect(fabs(sum - 1) <= 1e-12);
    cr_assert(blocks_room_init(&room, &c->blocks, 1));
    cr_expect_eq(blocks_residual(&c->blocks, c->x, &room, &by_time), out->residual);
    blocks_room_free(&room);
}

static int cancel(void *user, const PepaProgress *now)
{
    cr_expect_str_eq(now->phase, "solve");
    return *(int *)user;
}

Test(blocks, ends_without_a_solution)
{
    static const PepaMethod methods[] = {PEPA_GAUSS_SEIDEL, PEPA_SOR};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        PepaError err = {0};
        Outcome out;
        Case c;
        int stop = 1;
        case_new(&c, "kanban 1", 1, 64);
        Control control = {.tolerance = 1e-12};
        for (int64_t most = 1; most < 60; most += most) {
            control.max_iter = most;
            arbitrary(c.x, c.n);
            cr_assert_eq(solve_blocks(&c.blocks, methods[m], 1, HUGE_VAL, &control, c.x, &out,
                                      &err),
                         PEPA_ENOCONV);
            cr_expect_eq(out.iterations, most);
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
    status = solve_blocks(&c.blocks, PEPA_SOR, 1, 5, &control, c.x, &out, &err);
    cr_expect_eq(status, PEPA_ENOCONV);
    cr_expect(out.iterations < all && out.left > 5, "%lld of %lld", (long long)out.iterations,
              (long long)all);
    expect_distribution(&c, &out);
    case_free(&c);
}
