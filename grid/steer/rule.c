/* The decision rule of the rescheduler. */
#include "grid/steer/rule.h"

#include <math.h>

double seconds_left(const Comparison *c, const GridReschedulerSettings *set)
{
    return c->left < 0 ? set->horizon : c->left / c->present;
}

double seconds_saved(const Comparison *c, const GridReschedulerSettings *set)
{
    return seconds_left(c, set) * (1 - c->present / c->best);
}

bool has_fallen(const Comparison *c, const GridReschedulerSettings *set)
{
    return c->present < set->alarm * c->earlier &&
           log(c->earlier / c->present) > set->certainty * c->fall_error;
}

Decision decision_rule(const Comparison *c, const GridReschedulerSettings *set)
{
    if (c->left == 0)
        return DECISION_DONE;
    if (!(c->best > c->present))
        return DECISION_BEST;
    if (c->best < c->present * (1 + set->least_gain))
        return DECISION_GAIN;
    bool alarm = has_fallen(c, set);
    if (c->samples < set->least_samples && !alarm)
        return DECISION_MEASURING;
    if (log(c->best / c->present) <= set->certainty * c->error)
        return DECISION_DOUBT;
    if (seconds_saved(c, set) <= set->caution * c->cost)
        return DECISION_COST;
    if (alarm)
        return DECISION_ALARM;
    return c->paid_before > 0 ? DECISION_MOVE : DECISION_UNCONFIRMED;
}

const char *decision_name(Decision decision)
{
    static const char *const names[] =
        {[DECISION_MOVE] = "moved",          [DECISION_ALARM] = "alarm",
         [DECISION_BEST] = "best",           [DECISION_GAIN] = "small gain",
         [DECISION_MEASURING] = "measuring", [DECISION_DOUBT] = "in doubt",
         [DECISION_COST] = "costly",         [DECISION_UNCONFIRMED] = "unconfirmed",
         [DECISION_DONE] = "done",           [DECISION_ERROR] = "not ranked"};
    return names[decision];
}
