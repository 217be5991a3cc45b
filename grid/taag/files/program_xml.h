/* The schema of a program in a file of its own, as the paper has it; program.rng is its grammar. */
#ifndef GRID_TAAG_PROGRAM_XML_H
#define GRID_TAAG_PROGRAM_XML_H

#include <amoget_program.h>

/* Read a program from XML.  No other file is read, document types are refused, so that no entity
 * can grow.  What is wrong is told to `diagnose` (or NULL) with line and column.
 * Errors: PEPA_ESYNTAX (no XML), PEPA_EMODEL (another document; a number that is wrong),
 * PEPA_ELIMIT, PEPA_ENOMEM. */
PepaStatus program_xml_read(AmogetProgram **out, const char *name, const char *text, size_t length,
                            PepaDiagnose diagnose, void *user, PepaError *err);

#endif
