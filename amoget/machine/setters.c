/* Machines without a text: checked steps. */
#include <ctype.h>
#include <string.h>

#include "amoget/machine/machine.h"
#include "amoget/syntax/quantity.h"

/* ---- checks ------------------------------------------------------------------------------- */

static bool is_name(const char *text)
{
    bool integer = isdigit((unsigned char)*text) != 0;
    if (!*text)
        return false;
    for (; *text; text++)
        if (!isdigit((unsigned char)*text) &&
            (integer || (!isalpha((unsigned char)*text) && *text != '_')))
            return false;
    return true;
}

PepaStatus check_name(const Intern *names, const char *what, const char *name, PepaError *err)
{
    if (!is_name(name))
        return error_set(err, PEPA_EARG, "`%s` cannot name a %s: names are identifiers or integers",
                         name, what);
    if (intern_find(names, name, strlen(name)) >= 0)
        return error_set(err, PEPA_EARG, "there is a %s `%s` already", what, name);
    return PEPA_OK;
}

PepaStatus check_index(int32_t index, int32_t count, const char *what, PepaError *err)
{
    if (index >= 0 && index < count)
        return PEPA_OK;
    return error_set(err, PEPA_EARG, "no %s number %d: there are %d", what, index, count);
}

/* The colon, the comma and blanks end a host's name where mpirun takes a list. */
static bool reaches(const char *address)
{
    size_t i = 0;
    for (; address[i]; i++) {
        const unsigned char c = (unsigned char)address[i];
        const bool letter = ((c | 32) >= 'a' && (c | 32) <= 'z') || c >= 0x80;
        if (!letter && !(c >= '0' && c <= '9') && !strchr("_.-", c))
            return false;
    }
    return i > 0 && *address != '-';
}

PepaStatus check_address(const AmogetMachine *machine, int32_t processor, const char *address,
                         PepaError *err)
{
    enum { MOST_LETTERS = 255 };
    if (strlen(address) > MOST_LETTERS || !reaches(address))
        return error_set(err, PEPA_EARG,
                         "not the address of a host: letters, digits, `.`, `-` and `_`, at most %d",
                         MOST_LETTERS);
    for (int32_t j = 0; j < machine->processors; j++)
        if (j != processor && strcmp(amoget_processor_address(machine, j), address) == 0)
            return error_set(err, PEPA_EARG, "the address is that of processor `%s` as well",
                             amoget_processor_name(machine, j));
    return PEPA_OK;
}

PepaStatus check_number(double value, const char *what, PepaError *err)
{
    if (value >= LEAST_NUMBER && value <= MOST_NUMBER)
        return PEPA_OK;
    return error_set(err, PEPA_EARG, "%s of %g: it must be positive, from %g to %g", what, value,
                     LEAST_NUMBER, MOST_NUMBER);
}

/* ---- building ----------------------------------------------------------------------------- */

PepaStatus amoget_machine_new(AmogetMachine **out, PepaError *err)
{
    if (!out)
        return error_null(err, "amoget_machine_new");
    AmogetMachine *machine = machine_new();
    if (!machine)
        return error_memory(err);
    *out = machine;
    return PEPA_OK;
}

PepaStatus amoget_add_processor(AmogetMachine *machine, const char *name, double time,
                                PepaError *err)
{
    if (!machine || !name)
        return error_null(err, "amoget_add_processor");
    PepaStatus status = check_name(&machine->names, "processor", name, err);
    if (status == PEPA_OK)
        status = check_address(machine, machine->processors, name, err);
    if (status == PEPA_OK)
        status = check_number(time, "a time", err);
    if (status != PEPA_OK)
        return status;
    if (machine->processors == MOST_PROCESSORS)
        return error_set(err, PEPA_ELIMIT, "more than %d processors", MOST_PROCESSORS);
    return machine_add_processor(machine, name, time) ? PEPA_OK : error_memory(err);
}

/* ---- processors --------------------------------------------------------------------------- */

PepaStatus amoget_set_time(AmogetMachine *machine, int32_t processor, double seconds,
                           PepaError *err)
{
    if (!machine)
        return error_null(err, "amoget_set_time");
    PepaStatus status = check_index(processor, machine->processors, "processor", err);
    if (status == PEPA_OK)
        status = check_number(seconds, "a time", err);
    if (status == PEPA_OK)
        machine->time[processor] = seconds;
    return status;
}

PepaStatus amoget_set_availability(AmogetMachine *machine, int32_t processor, double share,
                                   PepaError *err)
{
    if (!machine)
        return error_null(err, "amoget_set_availability");
    PepaStatus status = check_index(processor, machine->processors, "processor", err);
    if (status == PEPA_OK)
        status =
            share >= LEAST_NUMBER && share <= 1
                ? PEPA_OK
                : error_set(err, PEPA_EARG, "an availability of %g: it is a share, from %g to 1",
                            share, LEAST_NUMBER);
    if (status == PEPA_OK)
        machine->availability[processor] = share;
    return status;
}

PepaStatus amoget_set_memory(AmogetMachine *machine, int32_t processor, double bytes,
                             PepaError *err)
{
    if (!machine)
        return error_null(err, "amoget_set_memory");
    PepaStatus status = check_index(processor, machine->processors, "processor", err);
    if (status == PEPA_OK && bytes < 0)
        return error_set(err, PEPA_EARG,
                         "memory of %g: it must be positive, or 0 if it is not known", bytes);
    if (status == PEPA_OK && bytes != 0)
        status = check_number(bytes, "memory", err);
    if (status == PEPA_OK)
        machine->memory[processor] = bytes;
    return status;
}

PepaStatus amoget_set_address(AmogetMachine *machine, int32_t processor, const char *address,
                              PepaError *err)
{
    if (!machine || !address)
        return error_null(err, "amoget_set_address");
    PepaStatus status = check_index(processor, machine->processors, "processor", err);
    if (status == PEPA_OK)
        status = check_address(machine, processor, address, err);
    if (status == PEPA_OK && !machine_set_address(machine, processor, address))
        status = error_memory(err);
    return status;
}

PepaStatus amoget_set_cores(AmogetMachine *machine, int32_t processor, int32_t cores,
                            PepaError *err)
{
    if (!machine)
        return error_null(err, "amoget_set_cores");
    PepaStatus status = check_index(processor, machine->processors, "processor", err);
    if (status == PEPA_OK && cores < 1)
        status = error_set(err, PEPA_EARG, "%d cores: a processor has at least 1", cores);
    if (status == PEPA_OK)
        machine->cores[processor] = cores;
    return status;
}

/* ---- pairs -------------------------------------------------------------------------------- */

static PepaStatus set_pair(AmogetMachine *machine, PairTable *table, int32_t a, int32_t b,
                           double value, const char *what, PepaError *err)
{
    PepaStatus status = check_number(value, what, err);
    if (status != PEPA_OK && table == &machine->latency && value == 0)
        status = error_set(err, PEPA_EARG,
                           "a latency of 0: it must be positive; give a short one, such as 1e-9");
    const bool whole = a == b && (a == AMOGET_DEFAULT || a == AMOGET_LOCAL);
    const bool half = !whole && (a == AMOGET_DEFAULT || a == AMOGET_LOCAL || b == AMOGET_DEFAULT ||
                                 b == AMOGET_LOCAL);
    if (status == PEPA_OK && half)
        return error_set(err, PEPA_EARG,
                         "%s: both ends are AMOGET_DEFAULT, both AMOGET_LOCAL, or "
                         "both are processors",
                         what);
    if (status == PEPA_OK && !whole)
        status = check_index(a, machine->processors, "processor", err);
    if (status == PEPA_OK && !whole)
        status = check_index(b, machine->processors, "processor", err);
    if (status != PEPA_OK)
        return status;
    if (!whole)
        pair_set(machine, table, a, b, LEVEL_PAIR, value);
    else if (a == AMOGET_LOCAL)
        pair_set_local(machine, table, value);
    else
        pair_set_every(machine, table, value);
    return PEPA_OK;
}

PepaStatus amoget_set_latency(AmogetMachine *machine, int32_t a, int32_t b, double seconds,
                              PepaError *err)
{
    if (!machine)
        return error_null(err, "amoget_set_latency");
    return set_pair(machine, &machine->latency, a, b, seconds, "a latency", err);
}

PepaStatus amoget_set_bandwidth(AmogetMachine *machine, int32_t a, int32_t b,
                                double bytes_per_second, PepaError *err)
{
    if (!machine)
        return error_null(err, "amoget_set_bandwidth");
    return set_pair(machine, &machine->bandwidth, a, b, bytes_per_second, "a bandwidth", err);
}
