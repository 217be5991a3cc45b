/* Texts of status codes. */
#include "pepa.h"

const char *pepa_status_text(PepaStatus status)
{
    static const char *const text[] = {
        [PEPA_OK] = "ok",
        [PEPA_EARG] = "bad argument",
        [PEPA_ENOMEM] = "out of memory",
        [PEPA_EIO] = "input or output failed",
        [PEPA_ESYNTAX] = "syntax error",
        [PEPA_EMODEL] = "the model is wrong",
        [PEPA_ELIMIT] = "a limit was hit",
        [PEPA_ENOCONV] = "not solved to the tolerance",
        [PEPA_ECANCEL] = "cancelled",
    };
    return (size_t)status < sizeof text / sizeof *text ? text[status] : "unknown status";
}
