/* From the syntax tree to a description: what is about the pipeline (machine/check.h has the rest).
 * Private to check*.c and parse.c. */
#ifndef AMOGET_DESCRIPTION_CHECK_H
#define AMOGET_DESCRIPTION_CHECK_H

#include "amoget/description/description.h"
#include "amoget/machine/check.h"

typedef struct {
    AmogetDescription *desc;       /* being built; its machine is Check's */
    const Say *stage[MOST_STAGES]; /* their declarations */
} PipelineCheck;

/* The members of an Extension whose owner is a PipelineCheck. */
void pipeline_check(Check *check, void *owner);
PepaStatus pipeline_define(Check *check, void *owner, const AmogetDefine *define, const char *name,
                           Attribute attribute, double value, PepaError *err);
void pipeline_complete(Check *check, void *owner);

/* The mappings that are listed; stages and processors are known. */
void check_mappings(Check *check, const PipelineCheck *own);

#endif
