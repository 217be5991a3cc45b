/* A program whose supersteps are known: what its trace must say (traces.sh). */
#include <bsp.h>
#include <time.h>

static void work(double milliseconds)
{
    struct timespec time = {0, (long)(1e6 * milliseconds)};
    (void)nanosleep(&time, NULL);
}

int main(void)
{
    static char area[100000], own[100000];
    bsp_begin(3);
    const int pid = bsp_pid();
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    /* 1: process 1 works, process 0 puts into 1, all into themselves */
    if (pid == 1)
        work(40);
    if (pid == 0)
        bsp_put(1, own, area, 0, 50000);
    bsp_put(pid, own, area, 60000, 30000);
    bsp_sync();
    /* 2: process 0 gets from 2, process 2 sends to 1 */
    if (pid == 0)
        bsp_get(2, area, 0, own, 70000);
    if (pid == 2)
        bsp_send(1, NULL, own, 20000);
    bsp_sync();
    /* 3: the same unbuffered; 4: the division; 5: a superstep of a group and the rest, as one */
    if (pid == 1)
        bsp_hpget(0, area, 0, own, 90000);
    if (pid == 2)
        bsp_hpput(0, own, area, 0, 60000);
    bsp_sync();
    bsp_push_group(pid == 2);
    if (pid < 2)
        bsp_put(1 - pid, own, area, 0, 10000);
    bsp_sync_group();
    if (pid == 1)
        work(30);
    bsp_pop_group();
    bsp_sync();
    /* 6: numbers at equal distances share an entry: 8 bytes each, not 16 */
    for (int i = 0; i < 2500 && pid == 0; i++)
        bsp_put(1, own, area, 16 * i, 8);
    for (int i = 0; i < 1250 && pid == 1; i++)
        bsp_put(2, own, area, 90000 - 24 * i, 8);
    bsp_sync();
    bsp_end(); /* 7: nothing */
    return 0;
}
