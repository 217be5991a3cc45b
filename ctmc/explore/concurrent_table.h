/* States that several threads look up in a table at the same time, putting in what is new.  New
 * ones are guests while threads are at it, and get their numbers after that, in the order of the
 * lookups that met them first, whichever thread was first by the clock.
 *
 * Lookups are made in visits, of which one thread makes one at a time; their order is that of
 * visits, and in a visit that of lookups. */
#ifndef PEPA_CTMC_EXPLORE_CONCURRENT_TABLE_H
#define PEPA_CTMC_EXPLORE_CONCURRENT_TABLE_H

#include "ctmc/system/table.h"

typedef struct {
    Table *table;
    int32_t room;  /* there may be so many guests */
    int32_t some;  /* seats that a thread takes at a time */
    int32_t taken; /* seats taken */
    /* The guest on seat g has the id -1 - g: which lookup met it first, visit << 32 | index, and
     * its state, 1 + words each; where the table has its id, NULL if nobody sits there; its number,
     * once there is one. */
    uint64_t *who;
    int32_t **place;
    int32_t *number;
    size_t who_cap, place_cap, number_cap;
} Guests;

/* Seats that a thread has taken and not filled; starts as {0}. */
typedef struct {
    int32_t next, end;
} Seats;

typedef struct {
    int32_t done;  /* so many lookups are made */
    int32_t *met;  /* those that came first with their guests when they were made, ... */
    int32_t count; /* ... so many, ... */
    int32_t lost;  /* ... of which so many are no longer the first */
} Visit;

void guests_free(Guests *guests);
/* No guests; some: see above. */
void guests_init(Guests *guests, Table *table, int32_t some);
/* They have gone; their numbers stay for the time being. */
void guests_clear(Guests *guests);
/* Room for so many.  False when memory is out. */
bool guests_reserve(Guests *guests, int32_t room);
double guests_bytes(const Guests *guests);

/* Look up the states visit->done .. count - 1 of visits[visit], and tell their ids; met: room for
 * count.  False if they are not all done, since there is no room for another guest. */
bool guests_meet(Guests *guests, Seats *seats, Visit *visits, int32_t visit, const uint64_t *states,
                 const uint32_t *hashes, int32_t count, int32_t *ids);

/* How many guests a visit has brought, when all visits are done; and these get the numbers from
 * `number` on, and with them places in the table, whose count the caller has to set. */
static inline int32_t guests_brought(const Visit *visit)
{
    return visit->count - visit->lost;
}
void guests_number(Guests *guests, const Visit *visits, int32_t visit, const int32_t *ids,
                   int32_t number);

/* Buckets that have been renewed: their memory, in so many parts, is to be touched before they are
 * filled again with the states first .. end - 1, those of guests having negative numbers, all
 * from -guests->taken to table->count. */
void guests_touch(const Guests *guests, int32_t part, int32_t parts);
void guests_refill(Guests *guests, int32_t first, int32_t end);

#endif
