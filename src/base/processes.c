/* Checks what a caller says of processes. */
#include "base/processes.h"

bool processes_talk(const PepaProcesses *p)
{
    for (size_t i = 0; i < sizeof p->reserved / sizeof *p->reserved; i++)
        if (p->reserved[i] != 0)
            return false;
    return p->count > 0 && p->rank >= 0 && p->rank < p->count && p->sum && p->largest && p->open &&
           p->start && p->finish && p->close && p->deal && p->take && p->poll;
}
