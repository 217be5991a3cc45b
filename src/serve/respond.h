/* Responses with the headers that all have: the policy of what a page may load, and no caching. */
#ifndef PEPA_SERVE_RESPOND_H
#define PEPA_SERVE_RESPOND_H

#include <microhttpd.h>

/* By a text, or by so many bytes of a type; both are copied. */
enum MHD_Result respond_text(struct MHD_Connection *connection, unsigned status, const char *text);
enum MHD_Result respond_copy(struct MHD_Connection *connection, unsigned status, const char *bytes,
                             size_t length, const char *type);
/* By a response, which is consumed; NULL: memory is out. */
enum MHD_Result respond_with(struct MHD_Connection *connection, unsigned status,
                             struct MHD_Response *response, const char *type);

#endif
