/* Formats that other programs read. */
#ifndef PEPA_CLI_EXPORT_H
#define PEPA_CLI_EXPORT_H

#include "session.h"

/* Formats of export with labels; each writes to a stream and returns an exit status, with a message
 * unless it is EXIT_SOLVED. */
int write_sta(const Session *session, FILE *to);
int write_lab(const Session *session, FILE *to);
int write_tra(const Session *session, FILE *to);
int write_drn(const Session *session, FILE *to);
/* A name in letters, digits and _ only, others replaced by _; one of its characters. */
char identifier_char(char c);
void write_identifier(FILE *to, const char *name);
/* The order of two names as they then look; 0: the same. */
int compare_identifiers(const char *a, const char *b);
/* The entries of the generator.  mtx: with its head, states from 1.  Else states from 0, and no
 * diagonal: it is none of a CTMC's rates. */
int write_generator(const Session *session, bool mtx, FILE *to);

#endif
