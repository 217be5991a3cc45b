#include "grid/paces.h"

#include <math.h>

/* Services are as random as their durations, and many; probes are steady, and few. */
enum { SERVICES_TURN = 8, PROBES_TURN = 4, MOST_PROBES = 15 };
/* What is needed of each to compare services with probes. */
enum { SERVICES_COMPARED = 20, PROBES_COMPARED = 3, PROBES_KNOWN = 8 };
/* Probes that raise a suspicion. */
enum { SUSPECTS = 2 };

int pace_new(GridPace *pace, int32_t window)
{
    *pace = (GridPace){.calibration = 1, .pace = 1, .since = -INFINITY, .suspected = INFINITY};
    int32_t probes = window < MOST_PROBES ? window : MOST_PROBES;
    return series_new(&pace->services, window, SERVICES_TURN) == 0 &&
                   series_new(&pace->probes, probes, PROBES_TURN) == 0
               ? 0
               : -1;
}

void pace_free(GridPace *pace)
{
    series_free(&pace->probes);
    series_free(&pace->services);
}

void pace_begin(GridPace *pace, double time, double availability)
{
    pace->time = time;
    pace->availability = availability;
    pace->pace = time / availability;
}

void pace_probe(GridPace *pace, double time, double seconds)
{
    if (pace->first_count < FIRST_PROBES)
        pace->first[pace->first_count++] = seconds;
    series_add(&pace->probes, (GridValue){.time = time, .value = seconds});
}

void pace_service(GridPace *pace, double time, double seconds_per_unit)
{
    series_add(&pace->services, (GridValue){.time = time, .value = seconds_per_unit});
}

/* What a probe took at first: about the second least of the first ones, as a process may be slow to
 * start, or slow down when hardly begun. */
static double reference(const GridPace *pace)
{
    const double *first = pace->first;
    double least = INFINITY, second = INFINITY, sum = 0;
    for (int32_t i = 0; i < pace->first_count; i++) {
        second = fmin(second, fmax(least, first[i]));
        least = fmin(least, first[i]);
    }
    const double alike = 1.5;
    double most = alike * (pace->first_count > 2 ? second : least);
    int32_t kept = 0;
    for (int32_t i = 0; i < pace->first_count; i++)
        if (first[i] <= most) {
            sum += first[i];
            kept++;
        }
    return sum / kept;
}

/* Of the values that count, from `from` on and before `until`. */
static GridEstimate estimate_in(const GridSeries *series, double from, double until, double max_age,
                                double *room)
{
    int32_t count = 0;
    for (int32_t i = series_recent(series, max_age); i < series->count; i++)
        if (series_at(series, i)->time >= from && series_at(series, i)->time < until)
            room[count++] = series_at(series, i)->value;
    return count > 0 ? estimate_of(room, count) : (GridEstimate){0};
}

static double newest(const GridSeries *series)
{
    return series->count > 0 ? series_at(series, series->count - 1)->time : -INFINITY;
}

static void believe(GridPace *pace, const GridEstimate *estimate, double times, double error,
                    double since)
{
    pace->pace = estimate->mean * times;
    pace->error = error;
    pace->served = 0;
    pace->turned = since != pace->since;
    pace->since = pace->until = since;
    if (pace->probes.since == since)
        pace->until = fmin(pace->until, pace->probes.until);
    if (pace->services.since == since)
        pace->until = fmin(pace->until, pace->services.until);
    pace->measured = true;
}

static void believe_services(GridPace *pace, const GridEstimate *served, double since)
{
    believe(pace, served, 1, served->error, since);
    pace->served = served->count;
}

/* ---- when it changed ---------------------------------------------------------------------- */

/* Are the two newest probes apart from four fifths of the others by half and more?  1: above,
 * -1: below, 0: no. */
static int probes_differ(const GridSeries *probes)
{
    const double apart = 1.5;
    int32_t others = probes->count - SUSPECTS, above = 0, below = 0;
    if (others < SUSPECTS)
        return 0;
    double x = series_at(probes, others)->value, y = series_at(probes, others + 1)->value;
    for (int32_t i = 0; i < others; i++) {
        above += fmin(x, y) > apart * series_at(probes, i)->value;
        below += apart * fmax(x, y) < series_at(probes, i)->value;
    }
    int32_t most = others - others / 5;
    return above >= most ? 1 : below >= most ? -1 : 0;
}

/* Do probes and services agree that it has changed?  Two probes are few, and so are the services
 * since, but chance does not make both. */
static void notice_change(GridPace *pace, double max_age, double *room)
{
    const double apart = 1.3;
    int direction = probes_differ(&pace->probes);
    if (direction == 0)
        return;
    int32_t others = pace->probes.count - SUSPECTS;
    double until = series_at(&pace->probes, others - 1)->time;
    double from = series_at(&pace->probes, others)->time;
    GridEstimate then = estimate_in(&pace->services, -INFINITY, until, max_age, room);
    GridEstimate now = estimate_in(&pace->services, from, INFINITY, max_age, room);
    if (then.count < SERIES_LEAST || now.count < SERIES_LEAST ||
        pow(now.mean / then.mean, direction) <= apart)
        return;
    series_change(&pace->probes, from);
    series_change(&pace->services, from);
}

/* The time of the last probe that is like most, if the newest ones are not: it may be a change, and
 * it may be nothing. */
static double suspicion(const GridSeries *probes, double *room)
{
    const double apart = 1.5;
    int32_t like = probes->count - 1;
    for (int32_t i = 0; i < probes->count; i++)
        room[i] = series_at(probes, i)->value;
    double median = probes->count > 0 ? median_of(room, probes->count) : 1;
    for (; like >= 0; like--) {
        double ratio = series_at(probes, like)->value / median;
        if (ratio <= apart && ratio * apart >= 1)
            break;
    }
    return like < probes->count - 1 ? series_at(probes, like)->time : INFINITY;
}

/* ---- what it is --------------------------------------------------------------------------- */

/* Compare services with probes of the same time.  A difference that chance explains is none. */
static void calibrate(GridPace *pace, const GridEstimate *served, const GridEstimate *probed,
                      double per_probe)
{
    const double errors = 2;
    double ratio = served->mean / (probed->mean * per_probe);
    double error = hypot(served->error, probed->error);
    bool differ = fabs(log(ratio)) > errors * error;
    pace->calibration = differ ? ratio : 1;
    pace->calibration_error = differ ? error : 0;
}

/* The relative standard deviation of a probe, from the median distance from the median, which a few
 * that have changed do not move.  0.6745: of a normal distribution. */
static double spread_of_probes(const GridSeries *probes, double *room)
{
    for (int32_t i = 0; i < probes->count; i++)
        room[i] = series_at(probes, i)->value;
    double median = median_of(room, probes->count);
    for (int32_t i = 0; i < probes->count; i++)
        room[i] = fabs(series_at(probes, i)->value / median - 1);
    return median_of(room, probes->count) / 0.6745;
}

/* The relative error of an estimate from probes: two or three may be near to each other by chance.
 */
static double probe_error(GridPace *pace, const GridEstimate *probed, double *room)
{
    if (pace->probes.count >= PROBES_KNOWN)
        pace->probe_spread = spread_of_probes(&pace->probes, room);
    return fmax(probed->error, pace->probe_spread / sqrt(probed->count));
}

/* What is known better: services, or probes with what services have told about them. */
static void by_given_works(GridPace *pace, double per_probe, double since, double max_age,
                           double *room)
{
    const GridSeries *services = &pace->services, *probes = &pace->probes;
    GridEstimate served = estimate_in(services, since, INFINITY, max_age, room);
    GridEstimate probed = estimate_in(probes, since, INFINITY, max_age, room);
    /* Probes after the last service can show a change that no service could. */
    int32_t later = estimate_in(probes, newest(services), INFINITY, max_age, room).count;
    bool is_served = served.count >= SERIES_LEAST && later < PROBES_TURN;
    bool is_probed = probed.count >= SUSPECTS;
    if (is_served && is_probed && later <= 1 && served.count >= SERVICES_COMPARED &&
        isinf(pace->suspected))
        calibrate(pace, &served, &probed, per_probe);
    double error = is_probed ? hypot(probe_error(pace, &probed, room), pace->calibration_error) : 0;
    if (is_served && (!is_probed || served.error <= error))
        believe_services(pace, &served, since);
    else if (is_probed)
        believe(pace, &probed, per_probe * pace->calibration, error, since);
}

/* Services have changed, and hardly any probe has been made since: does one agree with them, or
 * with those before?  If with neither, then services are believed. */
static void by_services(GridPace *pace, const GridEstimate *served, const GridEstimate *probed,
                        double per_probe, double since, double max_age, double *room)
{
    const double alike = log(1.5);
    GridEstimate all = estimate_in(&pace->probes, pace->probes.since, INFINITY, max_age, room);
    double seen = log(probed->mean * per_probe);
    double change = fabs(seen - log(served->mean)), stay = fabs(seen - log(all.mean * per_probe));
    if (probed->count > 0 && change < fmin(stay, alike))
        believe(pace, probed, per_probe, probe_error(pace, probed, room), since);
    else if (probed->count > 0 && stay < change)
        believe(pace, &all, per_probe, all.error, since);
    else
        believe_services(pace, served, since);
}

static void by_probes(GridPace *pace, double per_probe, double since, double max_age, double *room)
{
    GridEstimate probed = estimate_in(&pace->probes, since, INFINITY, max_age, room);
    GridEstimate served = estimate_in(&pace->services, -INFINITY, INFINITY, max_age, room);
    bool is_served = served.count >= SERIES_LEAST;
    if (is_served && since > pace->probes.since && probed.count < PROBES_COMPARED)
        by_services(pace, &served, &probed, per_probe, since, max_age, room);
    else if (probed.count > 0)
        believe(pace, &probed, per_probe, probe_error(pace, &probed, room), since);
    else if (is_served)
        believe_services(pace, &served, since);
}

void pace_update(GridPace *pace, bool works_measured, double max_age, double *room)
{
    notice_change(pace, max_age, room);
    pace->suspected = suspicion(&pace->probes, room);
    double per_probe = 0, since = fmax(pace->services.since, pace->probes.since);
    if (pace->probes.count > 0)
        per_probe = pace->time / pace->availability / reference(pace);
    if (works_measured)
        by_probes(pace, per_probe * pace->calibration, since, max_age, room);
    else
        by_given_works(pace, per_probe, since, max_age, room);
}
