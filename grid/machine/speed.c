/* The speed estimator of a process. */
#include "grid/machine/speed.h"

#include <math.h>

int speed_new(Speed *speed, int32_t window)
{
    *speed = (Speed){.calibration = 1,
                     .unit_time = 1,
                     .pauses = 1,
                     .since = -INFINITY,
                     .suspected = INFINITY};
    int32_t probes = window < MOST_PROBES ? window : MOST_PROBES;
    return window_new(&speed->services, window, SERVICES_RUN) == 0 &&
                   window_new(&speed->probes, probes, PROBES_RUN) == 0
               ? 0
               : -1;
}

void speed_free(Speed *speed)
{
    window_free(&speed->probes);
    window_free(&speed->services);
}

void speed_start(Speed *speed, double time, double availability)
{
    speed->time = time;
    speed->availability = availability;
    speed->unit_time = time / availability;
}

void speed_probe(Speed *speed, double time, double seconds)
{
    if (speed->first_count < FIRST_PROBES)
        speed->first[speed->first_count++] = seconds;
    window_add(&speed->probes, (Measurement){.time = time, .value = seconds});
}

void speed_service(Speed *speed, double time, double seconds_per_unit, double paused)
{
    window_add(&speed->services,
               (Measurement){.time = time, .value = seconds_per_unit, .paused = paused});
}

double speed_now(const Speed *speed)
{
    return speed->unit_time * (speed->whole ? speed->pauses : 1);
}

/* What a probe took at first: the mean of the first ones that are like the second shortest.  A
 * process may be slow to start, or slow down soon after. */
static double reference(const Speed *speed)
{
    const double *first = speed->first;
    double least = INFINITY, second = INFINITY, sum = 0;
    for (int32_t i = 0; i < speed->first_count; i++) {
        second = fmin(second, fmax(least, first[i]));
        least = fmin(least, first[i]);
    }
    double most = FIRST_ALIKE * (speed->first_count > 2 ? second : least);
    int32_t kept = 0;
    for (int32_t i = 0; i < speed->first_count; i++)
        if (first[i] <= most) {
            sum += first[i];
            kept++;
        }
    return sum / kept;
}

/* The estimate from the values of [from, until) that are recent. */
static Estimate estimate_in(const Window *window, double from, double until, double max_age,
                            bool whole, double *workspace)
{
    int32_t count = 0;
    for (int32_t i = window_recent(window, max_age); i < window->count; i++)
        if (window_at(window, i)->time >= from && window_at(window, i)->time < until)
            workspace[count++] = window_at(window, i)->value;
    return count > 0 ? estimate_of(workspace, count, whole) : (Estimate){0};
}

static void set_estimate(Speed *speed, const Estimate *estimate, double factor, double error,
                         double since)
{
    speed->unit_time = estimate->mean * factor;
    speed->error = error;
    speed->served = 0;
    speed->changed = since != speed->since;
    speed->since = speed->until = since;
    if (speed->probes.since == since)
        speed->until = fmin(speed->until, speed->probes.until);
    if (speed->services.since == since)
        speed->until = fmin(speed->until, speed->services.until);
    speed->measured = true;
}

static void set_from_services(Speed *speed, const Estimate *served, double since)
{
    set_estimate(speed, served, 1, served->error, since);
    speed->served = served->count;
}

/* ---- changes ------------------------------------------------------------------------------ */

/* Do both newest probes differ from four fifths of the others by half or more?  1: above, -1:
 * below, 0: no. */
static int probes_differ(const Window *probes)
{
    int32_t others = probes->count - SUSPECTS, above = 0, below = 0;
    if (others < SUSPECTS)
        return 0;
    double x = window_at(probes, others)->value, y = window_at(probes, others + 1)->value;
    for (int32_t i = 0; i < others; i++) {
        above += fmin(x, y) > PROBES_APART * window_at(probes, i)->value;
        below += PROBES_APART * fmax(x, y) < window_at(probes, i)->value;
    }
    int32_t most = others - others / PROBE_EXCEPTIONS;
    return above >= most ? 1 : below >= most ? -1 : 0;
}

/* A change that two probes and the few services since agree on: chance hardly makes both. */
static void notice_change(Speed *speed, double max_age, double *workspace)
{
    int direction = probes_differ(&speed->probes);
    if (direction == 0)
        return;
    int32_t others = speed->probes.count - SUSPECTS;
    double until = window_at(&speed->probes, others - 1)->time;
    double from = window_at(&speed->probes, others)->time;
    Estimate then = estimate_in(&speed->services, -INFINITY, until, max_age, false, workspace);
    Estimate now = estimate_in(&speed->services, from, INFINITY, max_age, false, workspace);
    if (then.count < WINDOW_LEAST || now.count < WINDOW_LEAST ||
        pow(now.mean / then.mean, direction) <= SERVICES_APART)
        return;
    window_restart(&speed->probes, from);
    window_restart(&speed->services, from);
}

/* The time of the last probe that is like the median, if the newest ones are not; else +inf. */
static double suspicion(const Window *probes, double *workspace)
{
    int32_t like = probes->count - 1;
    for (int32_t i = 0; i < probes->count; i++)
        workspace[i] = window_at(probes, i)->value;
    double median = probes->count > 0 ? median_of(workspace, probes->count) : 1;
    for (; like >= 0; like--) {
        double ratio = window_at(probes, like)->value / median;
        if (ratio <= SUSPECT_APART && ratio * SUSPECT_APART >= 1)
            break;
    }
    return like < probes->count - 1 ? window_at(probes, like)->time : INFINITY;
}

/* ---- the estimate ------------------------------------------------------------------------- */

/* The ratio of services to probes of the same time; 1 if chance explains the difference. */
static void calibrate(Speed *speed, const Estimate *served, const Estimate *probed,
                      double per_probe)
{
    double ratio = served->mean / (probed->mean * per_probe);
    double error = hypot(served->error, probed->error);
    bool differ = fabs(log(ratio)) > CALIBRATION_ERRORS * error;
    speed->calibration = differ ? ratio : 1;
    speed->calibration_error = differ ? error : 0;
}

/* The relative standard deviation of a probe, from the median absolute deviation, which is robust
 * against a few outliers.  0.6745: the ratio of the two for a normal distribution. */
static double spread_of_probes(const Window *probes, double *workspace)
{
    for (int32_t i = 0; i < probes->count; i++)
        workspace[i] = window_at(probes, i)->value;
    double median = median_of(workspace, probes->count);
    for (int32_t i = 0; i < probes->count; i++)
        workspace[i] = fabs(window_at(probes, i)->value / median - 1);
    return median_of(workspace, probes->count) / 0.6745;
}

/* The relative error of an estimate from probes: two or three may be alike by chance. */
static double probe_error(Speed *speed, const Estimate *probed, double *workspace)
{
    if (speed->probes.count >= PROBES_KNOWN)
        speed->probe_spread = spread_of_probes(&speed->probes, workspace);
    return fmax(probed->error, speed->probe_spread / sqrt(probed->count));
}

/* Work given: services, or calibrated probes, whichever has the smaller error. */
static void by_given_work(Speed *speed, double per_probe, double since, double max_age,
                          double *workspace)
{
    const Window *services = &speed->services, *probes = &speed->probes;
    Estimate served = estimate_in(services, since, INFINITY, max_age, speed->whole, workspace);
    Estimate probed = estimate_in(probes, since, INFINITY, max_age, false, workspace);
    /* probes after the last service can show a change that services cannot */
    int32_t later =
        estimate_in(probes, window_newest(services), INFINITY, max_age, false, workspace).count;
    bool is_served = served.count >= WINDOW_LEAST && later < PROBES_RUN;
    bool is_probed = probed.count >= SUSPECTS;
    if (is_served && is_probed && later <= 1 && served.count >= SERVICES_COMPARED &&
        isinf(speed->suspected))
        calibrate(speed, &served, &probed, per_probe);
    double error =
        is_probed ? hypot(probe_error(speed, &probed, workspace), speed->calibration_error) : 0;
    if (is_served && (!is_probed || served.error <= error))
        set_from_services(speed, &served, since);
    else if (is_probed)
        set_estimate(speed, &probed, per_probe * speed->calibration, error, since);
}

/* Services have changed, and few probes were made since.  If these agree with the older probes, the
 * process has not changed; else services count, or probes that agree with them. */
static void by_services(Speed *speed, const Estimate *served, const Estimate *probed,
                        double per_probe, double since, double max_age, double *workspace)
{
    Estimate all =
        estimate_in(&speed->probes, speed->probes.since, INFINITY, max_age, false, workspace);
    double seen = log(probed->mean * per_probe);
    double change = fabs(seen - log(served->mean)), stay = fabs(seen - log(all.mean * per_probe));
    if (probed->count > 0 && change < fmin(stay, log(PROBES_AGREE)))
        set_estimate(speed, probed, per_probe, probe_error(speed, probed, workspace), since);
    else if (probed->count > 0 && stay < change)
        set_estimate(speed, &all, per_probe, all.error, since);
    else
        set_from_services(speed, served, since);
}

static void by_probes(Speed *speed, double per_probe, double since, double max_age,
                      double *workspace)
{
    Estimate probed = estimate_in(&speed->probes, since, INFINITY, max_age, false, workspace);
    Estimate served =
        estimate_in(&speed->services, -INFINITY, INFINITY, max_age, speed->whole, workspace);
    bool is_served = served.count >= WINDOW_LEAST;
    if (is_served && since > speed->probes.since && probed.count < PROBES_COMPARED)
        by_services(speed, &served, &probed, per_probe, since, max_age, workspace);
    else if (probed.count > 0)
        set_estimate(speed, &probed, per_probe, probe_error(speed, &probed, workspace), since);
    else if (is_served)
        set_from_services(speed, &served, since);
}

/* The factor of pauses since the last change, a ratio of means, and its relative standard error.
 * Where there are too few services, as the process runs none now, it stays. */
static void measure_pauses(Speed *speed, double since, double max_age)
{
    const Window *services = &speed->services;
    double alone = 0, paused = 0, squares = 0;
    int32_t count = 0, oldest = window_recent(services, max_age);
    for (int32_t i = oldest; i < services->count; i++) {
        const Measurement *service = window_at(services, i);
        if (service->time < since)
            continue;
        alone += service->value;
        paused += service->paused;
        count++;
    }
    if (count < WINDOW_LEAST)
        return;
    const double ratio = paused / alone;
    for (int32_t i = oldest; i < services->count; i++) {
        const Measurement *service = window_at(services, i);
        if (service->time >= since)
            squares += pow(service->paused - ratio * service->value, 2);
    }
    speed->pauses = 1 + ratio;
    speed->pauses_error = sqrt(squares * count / (count - 1.0)) / alone / speed->pauses;
}

void speed_update(Speed *speed, bool work_measured, double max_age, double *workspace)
{
    notice_change(speed, max_age, workspace);
    speed->suspected = suspicion(&speed->probes, workspace);
    double per_probe = 0, since = fmax(speed->services.since, speed->probes.since);
    measure_pauses(speed, since, max_age);
    if (speed->probes.count > 0)
        per_probe = speed->time / speed->availability / reference(speed);
    if (work_measured)
        by_probes(speed, per_probe * speed->calibration, since, max_age, workspace);
    else
        by_given_work(speed, per_probe, since, max_age, workspace);
}

void speed_correct(Speed *speed, double factor)
{
    speed->calibration *= factor;
    speed->unit_time *= factor;
}
