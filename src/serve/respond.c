/* Responses with the headers that all have (respond.h). */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "serve/respond.h"

static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

enum MHD_Result respond_with(struct MHD_Connection *connection, unsigned status,
                             struct MHD_Response *response, const char *type)
{
    static const char *const headers[][2] = {{"Content-Security-Policy", policy},
                                             {"X-Content-Type-Options", "nosniff"},
                                             {"Referrer-Policy", "no-referrer"},
                                             {"Cache-Control", "no-store"},
                                             {"Cross-Origin-Opener-Policy", "same-origin"},
                                             {"Cross-Origin-Resource-Policy", "same-origin"}};
    if (!response)
        return MHD_NO;
    bool good = MHD_add_response_header(response, "Content-Type", type) == MHD_YES;
    for (size_t i = 0; good && i < sizeof headers / sizeof *headers; i++)
        good = MHD_add_response_header(response, headers[i][0], headers[i][1]) == MHD_YES;
    const enum MHD_Result result = good ? MHD_queue_response(connection, status, response) : MHD_NO;
    MHD_destroy_response(response);
    return result;
}

enum MHD_Result respond_copy(struct MHD_Connection *connection, unsigned status, const char *bytes,
                             size_t length, const char *type)
{
    return respond_with(connection, status,
                        MHD_create_response_from_buffer(length, (void *)(uintptr_t)bytes,
                                                        MHD_RESPMEM_MUST_COPY),
                        type);
}

enum MHD_Result respond_text(struct MHD_Connection *connection, unsigned status, const char *text)
{
    return respond_copy(connection, status, text, strlen(text), "text/plain; charset=utf-8");
}
