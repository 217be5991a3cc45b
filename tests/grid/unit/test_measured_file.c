/* The file of measurements, as amoget reads it. */
#include <stdlib.h>

#include "streams.h"

static void count_finding(void *user, const PepaDiagnostic *each)
{
    cr_log_error("%s", each->message);
    ++*(int *)user;
}

static char *written(GridMonitor *monitor, double epoch)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    cr_assert_not_null(to);
    cr_expect_eq(grid_monitor_write(monitor, epoch, to), 0);
    cr_assert_eq(fclose(to), 0);
    return text;
}

static void measure(AmogetDescription *desc, const char *text)
{
    int findings = 0;
    AmogetReading how = {.diagnose = count_finding, .user = &findings};
    PepaError err = {0};
    cr_assert_eq(amoget_measure(amoget_machine(desc), "m.csv", text, strlen(text), &how, &err),
                 PEPA_OK, "%s\n%s", err.message, text);
    cr_expect_eq(findings, 0, "%s", text);
}

static void see_everything(GridMonitor *monitor, Noise *noise, double from)
{
    for (int t = 0; t < 40; t++) {
        see_service(monitor, from + t, 0, 0, noisy(noise, 0.3), 1e6);
        see_probe(monitor, from + t, 1, noisy(noise, t < 10 ? 0.01 : 0.03));
        see_move(monitor, from + t, 0, 1, 4e6 * uniform(noise), noisy(noise, 0.1));
        see_move(monitor, from + t, 1, 1, 1e6, noisy(noise, 0.02));
    }
    update(monitor, from + 40);
}

Test(measured_file, is_read_as_it_was_measured)
{
    AmogetDescription *desc = make_description(3, 3), *copy = make_description(3, 3);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    Noise noise = {40, 0.05, 0.05};
    see_everything(monitor, &noise, 0);
    char *text = written(monitor, 1.1e9);
    cr_expect_eq(strncmp(text, "time,what,from,to,value\n", 24), 0, "%s", text);
    cr_expect_not_null(strstr(text, "\n1100000039,availability,p1,,"), "%s", text);
    measure(copy, text);
    for (int32_t j = 0; j < 3; j++) {
        cr_expect_eq(desc->machine->time[j], copy->machine->time[j]);
        cr_expect_eq(desc->machine->availability[j], copy->machine->availability[j]);
        for (int32_t k = 0; k < 3; k++) {
            cr_expect_eq(latency_between(desc, j, k), latency_between(copy, j, k));
            cr_expect_eq(bandwidth_between(desc, j, k), bandwidth_between(copy, j, k));
        }
    }
    free(text);
    grid_monitor_free(monitor);
    amoget_free(desc);
    amoget_free(copy);
}

Test(measured_file, says_only_what_is_new)
{
    AmogetDescription *desc = make_description(3, 3), *copy = make_description(3, 3);
    GridMonitor *monitor = grid_monitor_new(desc, &(GridMonitorSettings){.adjust_work = 1});
    Noise noise = {41, 0.05, 0};
    char *text = written(monitor, 0);
    cr_expect_str_eq(text, "time,what,from,to,value\n");
    free(text);
    see_everything(monitor, &noise, 0);
    text = written(monitor, 0);
    cr_expect_not_null(strstr(text, "latency,p1,p2,"));
    cr_expect_not_null(strstr(text, "# stage s1: work "));
    cr_expect_null(strstr(text, "time,what"));
    measure(copy, text);
    free(text);
    text = written(monitor, 0);
    cr_expect_str_eq(text, "");
    free(text);
    see_move(monitor, 50, 1, 1, 1e6, 1);
    update(monitor, 51);
    text = written(monitor, 0);
    cr_expect_not_null(strstr(text, "50,latency,p2,p2,"));
    cr_expect_null(strstr(text, "p1"));
    free(text);
    grid_monitor_free(monitor);
    amoget_free(desc);
    amoget_free(copy);
}

Test(measured_file, faster_than_described_is_a_comment)
{
    AmogetDescription *desc = make_description(1, 1), *copy = make_description(1, 1);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    for (int t = 0; t < 20; t++)
        see_service(monitor, t, 0, 0, 0.0625, 0);
    update(monitor, 20);
    char *text = written(monitor, 0);
    cr_expect_not_null(strstr(text,
                              "availability,p1,,1\n# p1 is faster than described: time 0.0625\n"),
                       "%s", text);
    measure(copy, text);
    cr_expect_eq(copy->machine->availability[0], 1);
    free(text);
    grid_monitor_free(monitor);
    amoget_free(desc);
    amoget_free(copy);
}

Test(measured_file, a_full_disk_is_told)
{
    AmogetDescription *desc = make_description(1, 1);
    GridMonitor *monitor = grid_monitor_new(desc, NULL);
    FILE *to = fopen("/dev/full", "w");
    if (to) {
        (void)setvbuf(to, NULL, _IONBF, 0);
        cr_expect_eq(grid_monitor_write(monitor, 0, to), -1);
        (void)fclose(to);
    }
    grid_monitor_free(monitor);
    amoget_free(desc);
}
