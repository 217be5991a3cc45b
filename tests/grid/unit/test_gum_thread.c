/* Threads of tasks: who runs when, and what is their own. */
#include "grid/gum/thread.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <string.h>

enum { STACK = 65536 };

/* What a thread does, a letter each: `y` yields, `b` waits, `u` rounds upwards from then on, `l` leaves for ever; it
 * writes its letters and how it rounds into `said`. */
typedef struct {
    Threads threads;
    Thread *waiting;
    char said[100];
} Run;

static Run run;

static void say(char letter)
{
    const size_t at = strlen(run.said);
    run.said[at] = letter;
    run.said[at + 1] = fegetround() == FE_UPWARD ? '+' : '.';
    run.said[at + 2] = 0;
}

static void body(Thread *thread)
{
    for (const char *at = (const char *)thread->task; *at; at++) {
        if (*at == 'u')
            (void)fesetround(FE_UPWARD);
        say(*at);
        if (*at == 'y')
            threads_yield(&run.threads);
        if (*at == 'b')
            threads_block(&run.threads, &run.waiting);
        if (*at == 'l')
            threads_leave(&run.threads);
    }
}

static void start(const char *letters)
{
    cr_assert(threads_start(&run.threads, (struct GumRecord *)(void *)letters));
}

/* Until nothing is ready. */
static void go(void)
{
    for (Thread *thread; (thread = threads_next(&run.threads));) {
        threads_enter(&run.threads, thread);
        cr_assert_eq(fegetround(), FE_TONEAREST);
        cr_assert_null(run.threads.current);
    }
}

static void begin(void)
{
    memset(&run, 0, sizeof run);
    threads_init(&run.threads, 10, STACK, body);
}

static void end(void)
{
    threads_free(&run.threads);
}

TestSuite(gum_thread, .init = begin, .fini = end);

Test(gum_thread, take_turns)
{
    start("1yy2");
    start("3y4");
    go();
    cr_expect_str_eq(run.said, "1.y.3.y.y.4.2.");
    cr_expect_eq(run.threads.live, 0);
    cr_expect_eq(run.threads.most, 2);
}

Test(gum_thread, rounds_as_it_does_itself)
{
    start("1uyby2");
    start("3yy4");
    go();
    cr_expect_str_eq(run.said, "1.u+y+3.y.b+y.4.");
    cr_expect_eq(run.threads.blocked, 1);
    threads_wake(&run.threads, &run.waiting);
    go();
    cr_expect_str_eq(run.said, "1.u+y+3.y.b+y.4.y+2+");
    start("5"); /* on the stack of one that ended so */
    go();
    cr_expect_str_eq(run.said, "1.u+y+3.y.b+y.4.y+2+5.");
}

Test(gum_thread, waits_until_woken)
{
    start("1b2b3");
    start("4b5");
    go();
    cr_expect_str_eq(run.said, "1.b.4.b.");
    threads_wake(&run.threads, &run.waiting); /* the last that waited comes first */
    go();
    cr_expect_str_eq(run.said, "1.b.4.b.5.2.b.");
    threads_wake(&run.threads, &run.waiting);
    go();
    cr_expect_str_eq(run.said, "1.b.4.b.5.2.b.3.");
    cr_expect_eq(run.threads.blocked, 0);
}

Test(gum_thread, uses_stacks_again)
{
    start("1y2");
    start("3");
    go();
    const Thread *first = run.threads.idle;
    cr_assert(first && first->next && !first->next->next);
    for (int i = 0; i < 5; i++) {
        run.said[0] = 0;
        start("4y5");
        start("6b7");
        go();
        threads_wake(&run.threads, &run.waiting);
        go();
        cr_expect_str_eq(run.said, "4.y.6.b.5.7.");
    }
    const Thread *idle = run.threads.idle;
    cr_expect(idle && idle->next && !idle->next->next);
}

/* One that has left for ever holds its stack until the end. */
Test(gum_thread, leaves_for_ever)
{
    start("1l2");
    start("3y4");
    go();
    cr_expect_str_eq(run.said, "1.l.3.y.4.");
    cr_expect_eq(run.threads.live, 1);
    start("5");
    go();
    cr_expect_str_eq(run.said, "1.l.3.y.4.5.");
}
