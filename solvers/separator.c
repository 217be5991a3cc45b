/* How few states part a chain. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/internal.h"
#include "solvers/tuning.h"

/* From `start` on, level by level, the states from which those of the level before are entered; what enters a state from
 * more than `most` is not looked at.  The fewest states of a level that has at least a quarter of all states on either
 * side; n: there is none.  *last: one of the last level.
 *   queue, met  n, scratch */
static int32_t narrowest_level(const Flow *flow, int64_t most, int32_t start, int32_t *queue,
                               uint8_t *met, int32_t *last)
{
    const int32_t n = flow->n;
    int32_t end = 1, narrowest = n;
    memset(met, 0, (size_t)n);
    queue[0] = start;
    met[start] = 1;
    for (int32_t begin = 0; begin < end;) {
        const int32_t level = end;
        for (; begin < level; begin++) {
            const int64_t first = flow->row[queue[begin]], after = flow->row[queue[begin] + 1];
            for (int64_t k = first; k < after && after - first <= most; k++)
                if (!met[flow->col[k]]) {
                    met[flow->col[k]] = 1;
                    queue[end++] = flow->col[k];
                }
        }
        if (level >= n / 4 && level <= n - n / 4 && end - level < narrowest)
            narrowest = end - level;
    }
    *last = queue[end - 1];
    return narrowest;
}

/* A level parts the states before from those after it where jumps lead to near levels.  Where s states part a chain and
 * fewer its parts, the last front, of s states, takes most of the work (George, Nested dissection of a regular finite
 * element mesh, SIAM J. Numer. Anal. 10, 1973). */
double flow_elimination_work(const Flow *flow)
{
    const int64_t most = (int64_t)(MOST_OF_STATE * sqrt(flow->n));
    int32_t *queue = mem_alloc((size_t)flow->n, sizeof *queue), last = 0, narrowest = flow->n;
    while (last < flow->n - 1 && flow->row[last + 1] - flow->row[last] > most)
        last++;
    uint8_t *met = mem_alloc((size_t)flow->n, 1);
    for (int pass = 0; pass < 2 && queue && met; pass++)
        narrowest = narrowest_level(flow, most, last, queue, met, &last);
    mem_free_all(queue, met);
    return FRONT_WORK * pow(narrowest, 3);
}

bool flow_is_parted(const Flow *flow, double most)
{
    return flow_elimination_work(flow) <= most * (double)flow_work(flow);
}
