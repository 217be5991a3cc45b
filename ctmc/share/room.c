/* First fit. */
#include "ctmc/share/room.h"

#include <string.h>

void room_clear(Room *room, int32_t now)
{
    size_t kept = 0;
    for (size_t i = 0; i < room->spans; i++)
        if (room->span[i].last >= now)
            room->span[kept++] = room->span[i];
    room->spans = kept;
}

int64_t room_take(Room *room, int64_t count, int32_t last)
{
    int64_t first = 0;
    size_t at = 0;
    if (!mem_grow(room->span, room->cap, room->spans + 1))
        return -1;
    for (; at < room->spans && room->span[at].first - first < count; at++)
        first = room->span[at].first + room->span[at].count;
    memmove(room->span + at + 1, room->span + at, (room->spans - at) * sizeof *room->span);
    room->span[at] = (RoomSpan){first, count, last};
    room->spans++;
    room->most = room->most > first + count ? room->most : first + count;
    return first;
}

void room_free(Room *room)
{
    mem_free(room->span);
    *room = (Room){0};
}
