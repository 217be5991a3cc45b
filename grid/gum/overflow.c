/* Full stacks of tasks are named.
 *
 * A recursion that is too deep writes to the page below its stack, and is killed by SIGSEGV as for any wrong
 * pointer.  The handler has a stack of its own, tells the guard if it was that page, and lets the signal come
 * once more. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sigaltstack */
#endif
#include "grid/gum/overflow.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>

#include "grid/core/guard.h"
#include "grid/gum/context.h"

#ifdef SMPI_H
void overflow_watch(void)
{
}
#else
/* snprintf of text and integers takes no memory. */
static void on_fault(int signal, siginfo_t *about, void *context)
{
    (void)context;
    const Gum *gum = gum_now;
    const Thread *thread = gum ? gum->threads.current : NULL;
    const uintptr_t at = (uintptr_t)about->si_addr, area = thread ? (uintptr_t)thread->area : 0;
    if (thread && at >= area && at - area < gum->threads.page) {
        char text[200];
        (void)
            snprintf(text, sizeof text,
                     "gum: process %d: the stack of task `%.60s` is full (GUM_STACK is %zu bytes)",
                     (int)gum->pid, thread->task->type->task.name, gum->threads.stack);
        guard_note(text);
    }
    struct sigaction as_before = {.sa_handler = SIG_DFL};
    (void)sigaction(signal, &as_before, NULL);
}

void overflow_watch(void)
{
    enum { BYTES = 65536 };
    static _Alignas(16) unsigned char area[BYTES];
    const stack_t own = {.ss_sp = area, .ss_size = BYTES};
    struct sigaction before,
        action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (sigaction(SIGSEGV, NULL, &before) == 0 && before.sa_handler == SIG_DFL &&
        !(before.sa_flags & SA_SIGINFO) && sigaltstack(&own, NULL) == 0)
        (void)sigaction(SIGSEGV, &action, NULL);
}
#endif
