/* Answers to requests. */
#ifndef PEPA_SERVE_ANSWER_H
#define PEPA_SERVE_ANSWER_H

#include <microhttpd.h>

/* MHD's functions for a request, and for its end; user: the Server. */
enum MHD_Result answer(void *user, struct MHD_Connection *connection, const char *url,
                       const char *method, const char *version, const char *upload, size_t *size,
                       void **kept);
void answer_over(void *user, struct MHD_Connection *connection, void **kept,
                 enum MHD_RequestTerminationCode how);

#endif
