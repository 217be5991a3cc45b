/* Sweeps over blocks are sweeps over the rows of the same matrix, and so are residuals and
 * aggregation. */
#include "block_cases.h"

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
    BlocksWorkspace room;
    view.up = up;
    cr_assert(blocks_workspace_init(&room, &view, threads));
    arbitrary(c->x, c->n);
    arbitrary(c->y, c->n);
    for (int k = 0; k < 3; k++) {
        double flow_rows;
        BlocksTally tally = {0};
        blocks_sweep(&view, c->x, omega, &room, NULL, k == 1 ? NULL : &tally);
        double change_rows = sweep_rows(c, c->y, omega, up, &flow_rows);
        for (int64_t i = 0; i < c->n; i++)
            cr_assert(fabs(c->x[i] - c->y[i]) <= 1e-12 * fabs(c->y[i]) + 1e-18,
                      "%s, factor %g, up %d: x[%d] is %.17g; it should be %.17g", what, omega, up,
                      (int)i, c->x[i], c->y[i]);
        cr_assert(k == 1 ||
                      (fabs(tally.change - change_rows) <= 1e-11 * change_rows &&
                       fabs(tally.flow - flow_rows) <= 1e-11 * (change_rows + fabs(flow_rows))),
                  "%s, factor %g, up %d: change %.17g, %.17g of flow %.17g, %.17g", what, omega, up,
                  tally.change, change_rows, tally.flow, flow_rows);
    }
    blocks_workspace_free(&room);
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

/* ---- residuals and aggregation -------------------------------------------------------------- */

Test(blocks, residual_is_that_of_the_chain)
{
    for (int i = 0; i < CASES; i++) {
        Case c;
        BlocksWorkspace room;
        double here;
        case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
        cr_assert(blocks_workspace_init(&room, &c.blocks, 1));
        double *pi = twice_room((size_t)c.n, sizeof *pi), sum = 0;
        arbitrary(c.x, c.n);
        for (int64_t k = 0; k < c.n; k++)
            sum += c.x[k];
        for (int64_t k = 0; k < c.n; k++)
            pi[c.twice.id[k]] = c.x[k] / sum;
        Certificate hand = certificate_by_hand(c.twice.chain, pi);
        double want = hand.residual, there = hand.by_time;
        double got = blocks_residual(&c.blocks, c.x, &room, &here);
        cr_expect(fabs(got - want) <= 1e-11 * want, "%s: %g, %g", cases[i].what, got, want);
        cr_expect(fabs(here - there) <= 1e-11 * there, "%s: %g, %g", cases[i].what, here, there);
        got = blocks_residual(&c.blocks, c.exact, &room, &here);
        cr_expect(got <= 1e-13 && here <= 1e-13, "%s: %g, %g", cases[i].what, got, here);
        c.x[c.n / 2] = NAN;
        got = blocks_residual(&c.blocks, c.x, &room, &here);
        cr_expect(isinf(got) && isinf(here));
        free(pi);
        blocks_workspace_free(&room);
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
        BlocksCoarse coarse;
        case_new(&c, cases[i].what, cases[i].aggregate, cases[i].most_lower);
        cr_assert(blocks_coarse_new(&coarse, &c.blocks));
        memcpy(c.x, c.exact, (size_t)c.n * sizeof *c.x);
        blocks_aggregate(&c.blocks, c.x, &coarse);
        for (int64_t k = 0; k < c.n; k++)
            cr_assert(fabs(c.x[k] - c.exact[k]) <= 1e-11 * c.exact[k], "%s", cases[i].what);
        arbitrary(c.x, c.n);
        arbitrary(c.y, c.n);
        for (int k = 0; k < 20; k++) /* each goes on where the one before has stopped */
            blocks_aggregate(&c.blocks, c.x, &coarse);
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
        /* within a block, between blocks, in a off with rates of its own */
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
            double *most = twice_room((size_t)c.blocks.blocks, sizeof *most);
            bool rare;
            cr_assert(blocks_rare(&c.blocks, most, &rare));
            cr_expect_eq(rare, jumps[i].rare, "%s", text);
            free(most);
            case_free(&c);
        }
}

/* From U both jumps have the chance 1/2; V is left at once, by one jump.  None is rare. */
Test(blocks, chances_are_those_of_the_source)
{
    Case c;
    case_new(&c, "U = (a, 1).V + (d, T).U; V = (b, 1e6).U; X = (d, 1).Y; Y = (d, 1).X; U <d> X", 0,
             2);
    double *most = twice_room((size_t)c.blocks.blocks, sizeof *most);
    bool rare = true;
    cr_assert(blocks_rare(&c.blocks, most, &rare));
    cr_expect(!rare);
    free(most);
    case_free(&c);
}

/* ---- distributions -------------------------------------------------------------------------- */

Test(blocks, settled)
{
    static const int32_t threads[] = {1, 2, 5};
    Case c;
    case_new(&c, "pipeline 6", 0, 81);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (int sign = -1; sign <= 1; sign += 2) {
            BlocksWorkspace room;
            double sum = 0, most = 0;
            cr_assert(blocks_workspace_init(&room, &c.blocks, threads[t]));
            arbitrary(c.x, c.n);
            for (int64_t i = 0; i < c.n; i++)
                c.x[i] *= i % 7 == 0 ? -1e-3 * sign : 100 * sign;
            memcpy(c.y, c.x, (size_t)c.n * sizeof *c.y);
            cr_assert(blocks_normalise(&c.blocks, c.x, &room));
            for (int64_t i = 0; i < c.n; i++)
                most += fmax(0, sign * c.y[i]);
            for (int64_t i = 0; i < c.n; i++) {
                sum += c.x[i];
                double want = fmax(0, sign * c.y[i]) / most;
                cr_assert(fabs(c.x[i] - want) <= 1e-12 * want, "%.17g, not %.17g", c.x[i], want);
            }
            cr_expect(fabs(sum - 1) <= 1e-12, "%.17g", sum);
            if (t == 0)
                memcpy(c.exact, c.x, (size_t)c.n * sizeof *c.x);
            else if (sign < 0)
                cr_expect(blocks_normalise(&c.blocks, c.y, &room) &&
                          memcmp(c.x, c.y, (size_t)c.n * sizeof *c.x) == 0);
            else
                cr_expect(memcmp(c.exact, c.x, (size_t)c.n * sizeof *c.x) == 0, "%d threads",
                          threads[t]);
            blocks_workspace_free(&room);
        }
    case_free(&c);
}

Test(blocks, not_to_be_settled)
{
    static const double odd[] = {0, NAN, INFINITY, -INFINITY};
    Case c;
    BlocksWorkspace room;
    case_new(&c, "tandem 9", 0, 30);
    cr_assert(blocks_workspace_init(&room, &c.blocks, 2));
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        for (int64_t i = 0; i < c.n; i++)
            c.x[i] = odd[k] == 0 || i == c.n / 2 ? odd[k] : 1;
        cr_expect(!blocks_normalise(&c.blocks, c.x, &room), "%g", odd[k]);
    }
    blocks_workspace_free(&room);
    case_free(&c);
}
