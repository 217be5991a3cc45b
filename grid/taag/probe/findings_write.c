/* What was found, as measurements that a description includes. */
#include "grid/core/decimal.h"
#include "grid/machine/monitor.h"
#include "grid/taag/probe/findings.h"

/* Times are relative: the work of a probe is not the description's. */
static void write_times(const Findings *f, const AmogetMachine *machine, double reference,
                        double now, FILE *to)
{
    char when[DECIMAL_SIZE], much[DECIMAL_SIZE];
    for (int32_t j = 0; j < f->processes; j++) {
        double time = number_in_range(reference * f->speed[j] / f->speed[0]);
        (void)fprintf(to, "%s,time,%s,,%s\n", decimal_text(now, DECIMAL_EXACT, when),
                      amoget_processor_name(machine, j), decimal_text(time, DECIMAL_EXACT, much));
    }
}

static PepaStatus write_all(const Findings *f, AmogetMachine *machine, double reference, double now,
                            FILE *to, PepaError *err)
{
    MachineMonitor monitor = {0};
    PepaStatus status = PEPA_ENOMEM;
    if (machines_new(&monitor, machine, 0, 0) == 0) {
        for (size_t i = 0; i < f->count; i++) {
            GridSample sample = f->samples[i];
            sample.time = 0; /* one moment: clocks differ */
            if (sample_is_valid(&sample))
                machines_observe(&monitor, &sample);
        }
        status = machines_estimate(&monitor, false, err);
        if (status == PEPA_OK)
            status = machines_publish(&monitor, err);
    } else if (err) {
        *err = (PepaError){.code = PEPA_ENOMEM, .message = "out of memory"};
    }
    if (status == PEPA_OK) {
        (void)machines_write(&monitor, now, to);
        write_times(f, machine, reference, now, to);
    }
    machines_free(&monitor);
    return status;
}

PepaStatus findings_write(const Findings *f, char *const *names, double reference, double now,
                          FILE *to, PepaError *err)
{
    AmogetMachine *machine = NULL;
    PepaStatus status = amoget_machine_new(&machine, err);
    for (int32_t j = 0; j < f->processes && status == PEPA_OK; j++)
        status = amoget_add_processor(machine, names[j], reference, err);
    if (status == PEPA_OK)
        status = write_all(f, machine, reference, now, to, err);
    amoget_machine_free(machine);
    return status;
}
