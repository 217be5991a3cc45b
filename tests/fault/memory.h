/* Memory that runs out when a test says so: these tests are linked with a base/mem that takes its
 * memory from here. */
#ifndef TESTS_FAULT_MEMORY_H
#define TESTS_FAULT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* The k-th allocation from now (1 = next) fails, or it and all after it; 0: never. */
void mem_fail_at(int64_t k, bool and_after);
int64_t mem_allocations(void); /* since mem_fail_at */
/* From now on, until it is called with false, note which calls lead to each allocation. */
void mem_note(bool on);
/* Which one to fail after the k-th: the next; after some hundred, unless LONG=1, of those noted to come from the same calls
 * the first, the second, the fourth and so on. */
int64_t mem_fail_next(int64_t k);
/* From now on those of KLU count, and fail, too. */
void mem_fail_in_klu(void);

#endif
