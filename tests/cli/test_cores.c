/* Quotas of control groups, in trees of files made here. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "src/cli/cores.h"

static char root[] = "/tmp/coresXXXXXX";

static void make_root(void)
{
    cr_assert_not_null(mkdtemp(root));
}

static void remove_root(void)
{
    char command[64];
    (void)snprintf(command, sizeof command, "rm -rf %s", root);
    cr_assert_eq(system(command), 0);
}

TestSuite(cores, .init = make_root, .fini = remove_root);

/* The file below the root, with the folders that lead to it. */
static void put(const char *name, const char *text)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + sizeof root; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    (void)fputs(text, file);
    cr_assert_eq(fclose(file), 0);
}

/* Processors without any quota: there are no files. */
static int32_t all(void)
{
    return cores_allowed("/nowhere");
}

static int32_t least(int32_t a)
{
    return a < all() ? a : all();
}

Test(cores, at_least_one_and_no_more_than_are_there)
{
    cr_expect_geq(all(), 1);
    cr_expect_geq(cores_allowed(""), 1);
    cr_expect_leq(cores_allowed(""), all());
}

Test(cores, quota_of_version_2)
{
    put("proc/self/cgroup", "0::/user/job\n");
    put("sys/fs/cgroup/user/job/cpu.max", "100000 100000\n");
    cr_expect_eq(cores_allowed(root), 1);
    put("sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    cr_expect_eq(cores_allowed(root), all());
    put("sys/fs/cgroup/user/job/cpu.max", "400 200\n");
    cr_expect_eq(cores_allowed(root), least(2));
    put("sys/fs/cgroup/user/job/cpu.max", "1000 100000\n");
    cr_expect_eq(cores_allowed(root), 1, "less than one");
    put("sys/fs/cgroup/user/job/cpu.max", "nonsense");
    cr_expect_eq(cores_allowed(root), all());
}

Test(cores, quota_of_a_group_above)
{
    put("proc/self/cgroup", "0::/user/job\n");
    put("sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/user/cpu.max", "100000 100000\n");
    cr_expect_eq(cores_allowed(root), 1);
    put("sys/fs/cgroup/user/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/cpu.max", "100000 100000\n");
    cr_expect_eq(cores_allowed(root), 1, "in a container the group itself is the root");
}

Test(cores, quota_of_version_1)
{
    put("proc/self/cgroup", "5:memory:/a\n3:cpuset:/b\n2:cpu,cpuacct:/group\n");
    put("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "100000\n");
    put("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/cpu/b/cpu.cfs_quota_us", "100000\n");
    put("sys/fs/cgroup/cpu/b/cpu.cfs_period_us", "100000\n");
    cr_expect_eq(cores_allowed(root), all(), "those of other controllers do not count");
    put("sys/fs/cgroup/cpu/group/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu/group/cpu.cfs_period_us", "100000\n");
    cr_expect_eq(cores_allowed(root), all());
    put("sys/fs/cgroup/cpu/group/cpu.cfs_quota_us", "100000\n");
    cr_expect_eq(cores_allowed(root), 1);
}

Test(cores, strange_lines_are_passed_over)
{
    put("proc/self/cgroup", "\nnothing\n1:cpu\n:::::\n0::/job\n");
    put("sys/fs/cgroup/job/cpu.max", "100000 100000\n");
    cr_expect_eq(cores_allowed(root), 1);
}
