#include "grid/verdict.h"

#include <math.h>

double seconds_left(const Weighing *w, const GridReschedulerSettings *set)
{
    return w->left < 0 ? set->horizon : w->left / w->present;
}

double seconds_saved(const Weighing *w, const GridReschedulerSettings *set)
{
    return seconds_left(w, set) * (1 - w->present / w->best);
}

bool has_fallen(const Weighing *w, const GridReschedulerSettings *set)
{
    return w->present < set->alarm * w->gave &&
           log(w->gave / w->present) > set->certainty * w->fall_doubt;
}

Verdict verdict_of(const Weighing *w, const GridReschedulerSettings *set)
{
    if (w->left == 0)
        return VERDICT_DONE;
    if (!(w->best > w->present))
        return VERDICT_BEST;
    if (w->best < w->present * (1 + set->least_gain))
        return VERDICT_GAIN;
    bool alarm = has_fallen(w, set);
    if (w->samples < set->least_samples && !alarm)
        return VERDICT_MEASURING;
    if (log(w->best / w->present) <= set->certainty * w->doubt)
        return VERDICT_DOUBT;
    if (seconds_saved(w, set) <= set->caution * w->cost)
        return VERDICT_COST;
    if (alarm)
        return VERDICT_ALARM;
    return w->before > 0 ? VERDICT_MOVE : VERDICT_UNCONFIRMED;
}

const char *verdict_name(Verdict verdict)
{
    static const char *const names[] =
        {[VERDICT_MOVE] = "moved",          [VERDICT_ALARM] = "alarm",
         [VERDICT_BEST] = "best",           [VERDICT_GAIN] = "small gain",
         [VERDICT_MEASURING] = "measuring", [VERDICT_DOUBT] = "in doubt",
         [VERDICT_COST] = "costly",         [VERDICT_UNCONFIRMED] = "unconfirmed",
         [VERDICT_DONE] = "done",           [VERDICT_ERROR] = "not ranked"};
    return names[verdict];
}
