/* What a machine says.  Nothing is checked: see amoget_machine.h. */
#include <math.h>
#include <string.h>

#include "amoget/machine/machine.h"

int32_t amoget_processor_count(const AmogetMachine *machine)
{
    return machine->processors;
}

const char *amoget_processor_name(const AmogetMachine *machine, int32_t processor)
{
    return machine->names.names[processor];
}

const char *amoget_processor_address(const AmogetMachine *machine, int32_t processor)
{
    const char *address = machine->address[processor];
    return address ? address : amoget_processor_name(machine, processor);
}

int32_t amoget_find_processor(const AmogetMachine *machine, const char *name)
{
    return intern_find(&machine->names, name, strlen(name));
}

double amoget_time(const AmogetMachine *machine, int32_t processor)
{
    return machine->time[processor];
}

double amoget_availability(const AmogetMachine *machine, int32_t processor)
{
    return machine->availability[processor];
}

int32_t amoget_cores(const AmogetMachine *machine, int32_t processor)
{
    return machine->cores[processor];
}

double amoget_memory(const AmogetMachine *machine, int32_t processor)
{
    return machine->memory[processor];
}

static double pair_value(const AmogetMachine *machine, const PairTable *table, int32_t a, int32_t b)
{
    if (a >= 0)
        return table->value[machine_pair(machine, a, b)];
    return a == AMOGET_LOCAL && !isnan(table->local) ? table->local : table->every;
}

double amoget_latency(const AmogetMachine *machine, int32_t a, int32_t b)
{
    return pair_value(machine, &machine->latency, a, b);
}

double amoget_bandwidth(const AmogetMachine *machine, int32_t a, int32_t b)
{
    double value = pair_value(machine, &machine->bandwidth, a, b);
    return isnan(value) ? HUGE_VAL : value;
}
