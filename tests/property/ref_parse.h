/* PEPA text to a reference model, so that the referees can be asked about files too: a recursive
 * descent over the grammar of pepa.5 that shares nothing with the engine's parser.
 *
 * Left out: immediate activities, priorities, phase types, and Workbench's rates in comments. */
#ifndef PEPA_TESTS_REF_PARSE_H
#define PEPA_TESTS_REF_PARSE_H

#include "property/ref_model.h"

typedef struct {
    const char *name; /* of a rate definition, whose value is put aside */
    double value;
} RefConstant;

/* NULL, or what is wrong with the text: a constant string, and *where the byte from which on.  The
 * model is to be freed in both cases. */
const char *ref_parse(RefModel *model, const char *text, const RefConstant *constants, size_t count,
                      size_t *where);

#endif
