// BSPlib in C++: every call has its standard type.
#include <bsp.h>

#include <cstdio>

static void (*const init)(void (*)(void), int, char *[]) = bsp_init;
static void (*const begin)(int) = bsp_begin;
static void (*const end)(void) = bsp_end;
static void (*const abort_)(const char *, ...) = bsp_abort;
static int (*const nprocs)(void) = bsp_nprocs;
static int (*const pid)(void) = bsp_pid;
static double (*const time_)(void) = bsp_time;
static void (*const sync_)(void) = bsp_sync;
static void (*const push_reg)(const void *, int) = bsp_push_reg;
static void (*const pop_reg)(const void *) = bsp_pop_reg;
static void (*const put)(int, const void *, void *, int, int) = bsp_put;
static void (*const hpput)(int, const void *, void *, int, int) = bsp_hpput;
static void (*const get)(int, const void *, int, void *, int) = bsp_get;
static void (*const hpget)(int, const void *, int, void *, int) = bsp_hpget;
static void (*const set_tagsize)(int *) = bsp_set_tagsize;
static void (*const send)(int, const void *, const void *, int) = bsp_send;
static void (*const qsize)(int *, int *) = bsp_qsize;
static void (*const get_tag)(int *, void *) = bsp_get_tag;
static void (*const move)(void *, int) = bsp_move;
static int (*const hpmove)(void **, void **) = bsp_hpmove;

int main()
{
    begin(nprocs());
    int x = 0, y = 0, value = 1, size = 0, messages, status;
    void *tag, *payload;
    push_reg(&x, sizeof x);
    set_tagsize(&size);
    sync_();
    put(pid(), &value, &x, 0, sizeof x);
    hpput(pid(), &value, &x, 0, sizeof x);
    get(pid(), &x, 0, &y, sizeof y);
    hpget(pid(), &x, 0, &y, sizeof y);
    send(pid(), nullptr, &value, sizeof value);
    send(pid(), nullptr, &value, sizeof value);
    sync_();
    qsize(&messages, &size);
    get_tag(&status, nullptr);
    move(&y, sizeof y);
    if (messages != 2 || hpmove(&tag, &payload) != (int)sizeof y || x + y != 2 || time_() < 0)
        abort_("C++: wrong");
    pop_reg(&x);
    if (pid() == 0)
        std::printf("C++ on %d processes\n", nprocs());
    end();
    (void)init;
    return 0;
}
