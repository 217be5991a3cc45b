/* Checks of BSPlib: functions that all processes call in one program, one after another.  A check
 * leaves no registrations, no messages that it has not looked at, and tags of size 0. */
#ifndef TESTS_GRID_BSP_CONFORM_H
#define TESTS_GRID_BSP_CONFORM_H

#include <bsp.h>

typedef struct {
    const char *name;
    void (*run)(void);
} Check;

/* Ends with one whose name is NULL. */
extern const Check process_checks[], put_checks[], get_checks[], register_checks[], bsmp_checks[],
    group_checks[], random_checks[];
#define CHECK(name)                                                                                \
    {                                                                                              \
#name, name                                                                                \
    }

/* Of this process in a ring. */
int right(void);
int left(void);

/* Register one area of this process, or take it out, and let that take effect. */
void area(void *address, int size);
void done(const void *address);

/* Say that a condition does not hold, and go on. */
void expect(int holds, const char *file, int line, const char *what);
#define EXPECT(condition) expect(condition, __FILE__, __LINE__, #condition)

#endif
