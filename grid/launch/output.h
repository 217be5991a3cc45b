/* What a program prints: passed on as it comes, or in lines that begin with the process.
 *
 * mpirun --tag-output puts a tag such as "[1,3]<stdout>:" before each line and before each piece of 4 kB, and after a
 * piece without a newline the next one may be another process's.  Here tags are taken off and pieces put together.
 * Of a piece that grows to more than 8 kB with its tags mpirun loses the rest (Open MPI 4.1): hundreds of lines of a few
 * characters, printed at once.  So lines that come through mpirun are longer by OUTPUT_PAD, which is taken off again; and a
 * stream may be that of one process, without tags. */
#ifndef GRID_LAUNCH_OUTPUT_H
#define GRID_LAUNCH_OUTPUT_H

#include <stddef.h>
#include <sys/types.h>

enum { CHUNK = 1 << 16 };

/* At the end of each line.  A piece of 4096 bytes with tags of 19 is then of 4096 (1 + 19 / 25) at most. */
#define OUTPUT_PAD "------------------------"

/* A line of a process whose end has not come. */
typedef struct {
    char *text;
    size_t size, capacity;
} Line;

typedef struct Ready Ready;

/* One of the two streams of the program. */
typedef struct {
    int from, to;   /* from -1: closed */
    int grows;      /* a file: at its end more may come, and poll does not say when */
    off_t passed;   /* how much of it is read, ... */
    off_t freed;    /* ... and no longer in memory */
    int prefix;     /* lines get prefixes; what comes has tags if it is not of one process */
    size_t process; /* 1 + pid of the process whose stream it is; 0: of all */
    size_t size;
    char chunk[CHUNK]; /* has come, and is not yet taken */
    Line *line;        /* 0: what has no tag; 1 + pid */
    size_t lines;
    size_t source; /* of what comes next: an index of `line` */
    Ready *ready;  /* while it is copied, or ended: what is to be written */
    int error;     /* errno of the first write that failed; 0: none did */
} Stream;

/* Copy what there is.  0: nothing (more may come); 1: something. */
int stream_copy(Stream *stream);
/* Nothing more comes: write what is left, and free all but the stream itself. */
void stream_end(Stream *stream);

#endif
