/* A description in a file, with the files that it includes, and what is found in it: for programs
 * that read one. */
#ifndef AMOGET_DESCRIPTION_FILE_H
#define AMOGET_DESCRIPTION_FILE_H

#include <amoget_machine.h>

#include "tool.h"

typedef struct IncludedFile IncludedFile;

typedef struct {
    const char *path; /* borrowed; "-": standard input */
    bool quiet;       /* warnings are not printed */
    char *text;
    size_t length;
    Findings findings; /* printed to stderr as they come (unless quiet and a warning), and kept */
    IncludedFile *included; /* the last one first */
    bool unpacked;          /* there are no more than these */
    bool sealed;            /* no other file is read */
} DescriptionFile;          /* starts with path and quiet, and zeros */

/* What diagnostics call it. */
const char *description_name(const DescriptionFile *file);
/* Read the text.  Returns an exit status, and has said why if that is not EXIT_SOLVED. */
int description_open(DescriptionFile *file);
/* How to read it: `file` takes findings, and gives the files that are included. */
AmogetReading description_reading(DescriptionFile *file, const AmogetDefine *defines, size_t count,
                                  double now);
/* "name=value" of -D, which is cut in two, as one more of the defines; false: it is not that. */
bool description_define(AmogetDefine *defines, size_t *count, char *text);
/* What came of it: says why unless that was found and printed already; returns the exit status. */
int description_complain(const DescriptionFile *file, PepaStatus status, const PepaError *err);
/* All of it: the machine of the description in a file, whose findings stay.  Returns an exit status, and
 * has said why if that is not EXIT_SOLVED. */
int description_read_machine(DescriptionFile *file, const AmogetDefine *defines, size_t count,
                             double now, AmogetMachine **out);
/* The same without a trace of the file. */
int description_machine(const char *path, bool quiet, const AmogetDefine *defines, size_t count,
                        double now, AmogetMachine **out);
/* For other processes that read the same: all that has been read, as one text; and a file with that in
 * it, which opens none.  False: memory is out. */
void description_pack(const DescriptionFile *file, Text *out);
bool description_unpack(DescriptionFile *file, const Text *from);
/* The texts; findings stay. */
void description_close(DescriptionFile *file);
void description_free(DescriptionFile *file);

#endif
