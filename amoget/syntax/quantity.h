/* Numbers with units, and what a description's numbers may be. */
#ifndef AMOGET_QUANTITY_H
#define AMOGET_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers must lie in this range: then so do products and quotients of the few that make up a
 * duration. */
#define LEAST_NUMBER 1e-30
#define MOST_NUMBER  1e30
enum { MOST_PHASES = 100 };

typedef enum { KIND_PLAIN, KIND_TIME, KIND_SIZE, KIND_BANDWIDTH } Kind;

typedef struct {
    const char *name;
    Kind kind;
    double times, over; /* a number in this unit is number x times / over in s, B or B/s */
} Unit;

/* The unit of that name, or NULL. */
const Unit *unit_find(const char *name, size_t length);
/* The unit that was probably meant, or NULL. */
const Unit *unit_nearest(const char *name);
/* What to say behind "unknown unit": "; times have ns, us, ms, s, min or h".
 * KIND_PLAIN: all kinds. */
const char *units_known(Kind kind);

typedef struct {
    double number;
    const Unit *unit; /* or NULL: seconds, bytes, bytes per second, as needed */
} Quantity;

/* Read "12.5 ms" or "100MB", all of the text, blanks around and between allowed; *behind is how far
 * it could be read.  False: not a number, or not finite, or no such unit. */
bool quantity_read(const char *text, size_t length, Quantity *out, size_t *behind);

/* The numbers of a description. */
typedef enum {
    ATTRIBUTE_WORK,
    ATTRIBUTE_OUTPUT, /* bytes that a stage sends on */
    ATTRIBUTE_PHASES, /* the last of those of a stage */
    ATTRIBUTE_TIME,
    ATTRIBUTE_AVAILABILITY,
    ATTRIBUTE_CORES,
    ATTRIBUTE_MEMORY, /* bytes of a processor that are free */
    ATTRIBUTE_LATENCY,
    ATTRIBUTE_BANDWIDTH,
    ATTRIBUTE_SIZE, /* bytes that come in */
    ATTRIBUTE_MAX_AGE,
    ATTRIBUTE_DATA,     /* bytes of a message within a group of processes */
    ATTRIBUTE_EXCHANGE, /* the same between two groups */
    ATTRIBUTE_CLUSTER,  /* a name, not a number */
    ATTRIBUTE_ADDRESS,  /* a text */
    ATTRIBUTE_COUNT
} Attribute;

/* The attribute's keyword. */
const char *attribute_name(Attribute attribute);
/* What its unit measures. */
Kind attribute_kind(Attribute attribute);

enum { WHY_SIZE = 400 };
/* The quantity as a value of the attribute, in s, B, B/s; false: it cannot be one, and why. */
bool quantity_value(Quantity quantity, Attribute attribute, double *value, char why[WHY_SIZE]);

#endif
