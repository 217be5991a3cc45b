/* The files about a run that process 0 writes at its end. */
#ifndef GRID_GUM_FILES_H
#define GRID_GUM_FILES_H

#include <stdio.h>

#include "grid/gum/context.h"

typedef struct {
    const char *what, *variable; /* of the environment: the path */
} ReportFile;

extern const ReportFile file_of_profile, file_of_activity;

/* On process 0 before a run: can the files be written that are asked for?  0; -1: failed, session.error is
 * set.  One that was not there is, empty, afterwards. */
int files_probe(Gum *gum);

/* The file, emptied; NULL: errno says why not. */
FILE *files_open(const ReportFile *file);
/* Close what files_open gave, NULL included.  bad: it could not be written.  0; -1: failed, session.error is
 * set. */
int files_close(Gum *gum, const ReportFile *file, FILE *to, int bad);

#endif
