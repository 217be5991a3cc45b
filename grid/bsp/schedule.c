/* The schedule of an exchange among all processes: rounds of pairs. */
#include "grid/bsp/schedule.h"

/* An even number of places; with an odd number of processes the last place is empty. */
static int places(int nprocs)
{
    return nprocs + nprocs % 2;
}

int schedule_rounds(int nprocs)
{
    return nprocs > 1 ? places(nprocs) - 1 : 0;
}

/* The last place stays; the others turn.  In round r the places a and b meet if
 * a + b = 2 r (mod n - 1), and the last one meets r. */
int schedule_partner(int nprocs, int round, int pid)
{
    int n = places(nprocs), last = n - 1, partner;
    if (pid == last) {
        partner = round % last;
    } else {
        partner = (2 * round - pid) % last;
        if (partner < 0)
            partner += last;
        if (partner == pid)
            partner = last;
    }
    return partner < nprocs ? partner : -1;
}

int schedule_first(int a, int b)
{
    int lower = a < b ? a : b, higher = a < b ? b : a;
    return (a + b) % 2 != 0 ? lower : higher;
}

void schedule_partners(int nprocs, int pid, int *partners)
{
    for (int round = 0, count = 0; round < schedule_rounds(nprocs); round++) {
        int partner = schedule_partner(nprocs, round, pid);
        if (partner >= 0)
            partners[count++] = partner;
    }
}

void schedule_h_relation(int nprocs, const uint64_t *bytes, uint64_t *h)
{
    for (int p = 0; p < nprocs; p++) {
        uint64_t sent = 0, received = 0;
        for (int q = 0; q < nprocs; q++) {
            sent += p == q ? 0 : bytes[p * nprocs + q];
            received += p == q ? 0 : bytes[q * nprocs + p];
        }
        h[p] = sent > received ? sent : received;
    }
}
