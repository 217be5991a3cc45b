/* Agreement of the model with the run. */
#include "grid/steer/agreement.h"

#include <math.h>

#include "grid/steer/tuning.h"

static bool is_enough(const AgreementCount *count)
{
    return count->decisions >= APART_DECISIONS && count->predicted >= APART_ITEMS;
}

static void add(AgreementCount *count, double seen, double predicted)
{
    count->decisions++;
    count->seen += seen;
    count->predicted += predicted;
}

bool agreement_see(Agreement *a, double seen, double predicted)
{
    if (a->moved) {
        a->moved = false;
        return false;
    }
    double usual = is_enough(&a->usual) ? fmax(a->usual.seen / a->usual.predicted, 1) : 1;
    bool apart = a->whole ? APART * seen > usual * predicted : seen < APART * usual * predicted;
    if (!apart)
        a->apart = (AgreementCount){0};
    add(apart ? &a->apart : &a->usual, seen, predicted);
    if (!is_enough(&a->apart))
        return false;
    a->apart = (AgreementCount){0};
    a->whole = !a->whole;
    return true;
}

void agreement_moved(Agreement *a)
{
    a->usual = a->apart = (AgreementCount){0};
    a->moved = true;
}
