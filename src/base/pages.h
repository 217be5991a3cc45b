/* Huge pages for large arrays with irregular access. */
#ifndef PEPA_BASE_PAGES_H
#define PEPA_BASE_PAGES_H

#include <stddef.h>

/* Request huge pages for the bytes from p on; a hint. */
void pages_huge(const void *p, size_t bytes);

#endif
