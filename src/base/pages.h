/* Large arrays that are read here and there: fewer, larger pages. */
#ifndef PEPA_BASE_PAGES_H
#define PEPA_BASE_PAGES_H

#include <stddef.h>

/* Ask for huge pages under the bytes from p on, where the system has them; a hint, nothing more. */
void pages_huge(const void *p, size_t bytes);

#endif
