/* What is left of a limit on memory, and how to say so. */
#ifndef PEPA_BASE_ROOM_H
#define PEPA_BASE_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/* limit less what is taken, in bytes, at least 1; 0, which is no limit, of 0. */
int64_t room_left(int64_t limit, double taken);
/* Whether so many bytes are within the limit. */
bool room_for(int64_t limit, double bytes);

/* "1.2 GB" (powers of 1000) / "1,234,567": text. */
enum { ROOM_TEXT = 32 };
const char *room_bytes(double bytes, char text[ROOM_TEXT]);
const char *room_count(int64_t count, char text[ROOM_TEXT]);

#endif
