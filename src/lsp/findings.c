/* Findings of the readers as diagnostics of the protocol. */
#include "lsp/findings.h"

#include <stdio.h>

/* As many of each severity as the command prints. */
enum { MOST_FINDINGS = 100, SEVERITY_ERROR = 1, SEVERITY_WARNING = 2 };

static json_t *diagnostic(const Content *content, PepaSeverity severity, Span span,
                          const char *message)
{
    return json_pack("{so, si, ss, ss}", "range", content_range(content, span), "severity",
                     severity == PEPA_ERROR ? SEVERITY_ERROR : SEVERITY_WARNING, "source", "pepa",
                     "message", message);
}

static void add_all(json_t **list, const Document *doc, const DiagList *diags, size_t found[2])
{
    for (size_t i = 0; i < diags->count; i++) {
        const Diag *d = &diags->items[i];
        if (++found[d->severity == PEPA_ERROR] <= MOST_FINDINGS)
            *list = list_add(*list, diagnostic(&doc->content, d->severity, d->span, d->message));
    }
}

static void add_rest(json_t **list, const Document *doc, size_t found, PepaSeverity severity)
{
    char message[64];
    if (found <= MOST_FINDINGS)
        return;
    const size_t count = found - MOST_FINDINGS;
    (void)snprintf(message, sizeof message, "%zu more %s%s", count,
                   severity == PEPA_ERROR ? "error" : "warning", count == 1 ? "" : "s");
    const Span nowhere = {SPAN_NOWHERE, SPAN_NOWHERE};
    *list = list_add(*list, diagnostic(&doc->content, severity, nowhere, message));
}

json_t *findings_list(const Document *doc, const DiagList *more)
{
    size_t found[2] = {0, 0}; /* warnings, errors */
    json_t *list = json_array();
    if (!list)
        return NULL;
    add_all(&list, doc, &doc->reading.diags, found);
    if (more)
        add_all(&list, doc, more, found);
    add_rest(&list, doc, found[1], PEPA_ERROR);
    add_rest(&list, doc, found[0], PEPA_WARNING);
    return list;
}
