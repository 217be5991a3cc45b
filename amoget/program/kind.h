/* The names of kinds of programs, for run-times that read no descriptions as well. */
#ifndef AMOGET_PROGRAM_KIND_H
#define AMOGET_PROGRAM_KIND_H

#include "amoget_program.h"

/* What amoget_program_kind returns. */
const char *kind_name(AmogetProgramKind kind);

#endif
