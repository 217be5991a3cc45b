/* The hosts that bsprun chooses. */
#include <amoget_machine.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "grid/start/hosts.h"

static AmogetMachine *machine_of(const char *processors)
{
    AmogetMachine *machine = NULL;
    char text[512];
    (void)snprintf(text, sizeof text, "processors { %s } network { latency default 1; }",
                   processors);
    cr_assert_eq(amoget_machine_parse(&machine, "test", text, strlen(text), NULL, NULL), PEPA_OK);
    return machine;
}

static void expect(const char *processors, int32_t processes, const char *hosts)
{
    Share shares[16] = {{0}};
    char got[256] = "";
    AmogetMachine *machine = machine_of(processors);
    int32_t count = hosts_choose(machine, processes, shares), sum = 0;
    for (int32_t i = 0; i < count; i++) {
        size_t used = strlen(got);
        (void)snprintf(got + used, sizeof got - used, "%s%s:%d", i ? " " : "", shares[i].name,
                       (int)shares[i].processes);
        sum += shares[i].processes;
    }
    cr_expect_str_eq(got, hosts);
    cr_expect_eq(sum, processes);
    amoget_machine_free(machine);
}

Test(hosts, lightest_first)
{
    expect("a time 1 availability 0.5; b time 1; c time 1 availability 0.7;", 2, "b:1 c:1");
}

Test(hosts, of_equal_load_the_fastest)
{
    expect("a time 3; b time 1; c time 2; d time 1;", 3, "b:1 d:1 c:1");
}

Test(hosts, as_many_as_free_cores)
{
    expect("a time 1 cores 3; b time 2 cores 4 availability 0.6;", 5, "a:3 b:2");
}

Test(hosts, at_least_one_each)
{
    expect("a time 1 availability 0.2; b time 1 cores 2 availability 0.3;", 2, "b:1 a:1");
}

Test(hosts, go_round)
{
    expect("a time 1 cores 2; b time 2;", 8, "a:6 b:2");
    expect("a time 1;", 4, "a:4");
}
