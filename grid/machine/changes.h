/* The changes of a platform at points of time: reads their text (platform.h has the format). */
#ifndef GRID_MACHINE_CHANGES_H
#define GRID_MACHINE_CHANGES_H

#include <amoget_machine.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    double time;
    AmogetDefine define;       /* points into Changes.text */
    int32_t line, column, end; /* from 1: where the path begins and the value ends, in bytes */
} Change;

typedef struct {
    char *text;     /* lines and words ended by NUL */
    char *original; /* for excerpts */
    Change *each;   /* by time, then in the order of the text */
    size_t count;
} Changes;

typedef struct {
    const char *name;
    PepaDiagnose diagnose; /* or NULL */
    void *user;
} ChangesReading;

/* Free with changes_free, also after failure.  Errors: PEPA_ESYNTAX, PEPA_ENOMEM. */
PepaStatus changes_read(Changes *out, const char *text, const ChangesReading *how, PepaError *err);
void changes_free(Changes *changes);
/* Report that a change is wrong: PEPA_ESYNTAX. */
PepaStatus changes_wrong(const Changes *changes, const Change *change, const ChangesReading *how,
                         const char *message, PepaError *err);

#endif
