/* Sparks on their way between processes. */
#ifndef GRID_GUM_SPARKS_H
#define GRID_GUM_SPARKS_H

#include "grid/core/buffer.h"
#include "grid/gum/context.h"

/* Append a spark that is RECORD_HELD; it leaves this process.  0; -1: failed. */
int spark_put(Gum *gum, Record *record, GridBuffer *body);
/* The same of a task that runs here, and goes on: it runs on two processes from now on, and what comes first counts. */
int spark_put_again(Gum *gum, Record *record, GridBuffer *body);
/* Read a spark, which is now RECORD_HELD here; NULL in *out: nobody wants its result any more, or who
 * waits for it runs it.  0; -1: failed. */
int spark_get(Gum *gum, Cursor *from, Record **out);
/* Tell the owner of a spark that it is here, if that is another process.  0; -1: failed. */
int spark_acknowledge(Gum *gum, const Record *record);
/* Into the pool, whatever its limit: it must not be lost.  0; -1: failed. */
int spark_keep(Gum *gum, Record *record);

#endif
