/* Room for what passes: places that are given again when what was there has been read. */
#ifndef PEPA_CTMC_SHARE_ROOM_H
#define PEPA_CTMC_SHARE_ROOM_H

#include "base/mem.h"

/* Taken: places first .. first + count - 1, until `last`. */
typedef struct {
    int64_t first, count;
    int32_t last;
} RoomSpan;

typedef struct {
    RoomSpan *span; /* ascending */
    size_t spans, cap;
    int64_t most; /* places that have been in use */
} Room;           /* starts as {0} */

/* Give back what was taken until before `now`. */
void room_clear(Room *room, int32_t now);
/* The first of `count` places in a row that are free; they are then taken until `last`.  -1: memory
 * is out.  O(what is taken). */
int64_t room_take(Room *room, int64_t count, int32_t last);
void room_free(Room *room);

#endif
