/* A session of the language server in which the k-th allocation fails, for all k: it ends, and each
 * answer is the right one, or says that memory is out. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault/memory.h"
#include "lsp/lsp.h"

#define MODEL                                                                                      \
    "r = 2; // x\\nP = (a, r).Q + (b, nu).P;\\nnu = r / 4;\\nQ = (c, 1).P;\\nP <a> Q[2]\\n"
#define AT(line, character)                                                                        \
    "\"textDocument\":{\"uri\":\"u\"},\"position\":{\"line\":" #line ",\"character\":" #character  \
    "}"

static const char *const session[] = {
    "{\"id\":0,\"method\":\"initialize\"}",
    "{\"method\":\"textDocument/"
    "didOpen\",\"params\":{\"textDocument\":{\"uri\":\"u\",\"languageId\":"
    "\"pepa\",\"version\":1,\"text\":\"" MODEL "\"}}}",
    "{\"id\":1,\"method\":\"textDocument/hover\",\"params\":{" AT(1, 0) "}}",
    "{\"id\":2,\"method\":\"textDocument/hover\",\"params\":{" AT(1, 5) "}}",
    "{\"id\":3,\"method\":\"textDocument/references\",\"params\":{" AT(0, 0) "}}",
    "{\"id\":4,\"method\":\"textDocument/rename\",\"params\":{" AT(0, 0) ",\"newName\":\"s\"}}",
    "{\"id\":5,\"method\":\"textDocument/formatting\",\"params\":{" AT(0, 0) "}}",
    "{\"id\":6,\"method\":\"textDocument/completion\",\"params\":{" AT(1, 8) "}}",
    "{\"id\":7,\"method\":\"textDocument/documentSymbol\",\"params\":{" AT(0, 0) "}}",
    "{\"id\":8,\"method\":\"textDocument/codeLens\",\"params\":{" AT(0, 0) "}}",
    "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":\"u\"},"
    "\"contentChanges\":[{\"text\":\"P = (a, x).P;\"}]}}",
    "{\"method\":\"textDocument/"
    "didOpen\",\"params\":{\"textDocument\":{\"uri\":\"v\",\"languageId\":"
    "\"amoget\",\"version\":1,\"text\":\"processors { p time 1; }\"}}}",
    "{\"id\":9,\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":\"v\"},"
    "\"position\":{\"line\":0,\"character\":13}}}",
    "{\"id\":10,\"method\":\"textDocument/rename\",\"params\":{\"textDocument\":{\"uri\":\"v\"},"
    "\"position\":{\"line\":0,\"character\":13},\"newName\":\"q\"}}",
    "{\"id\":11,\"method\":\"textDocument/formatting\",\"params\":{\"textDocument\":{\"uri\":"
    "\"v\"}}}",
    "{\"id\":12,\"method\":\"shutdown\"}",
    "{\"method\":\"exit\"}",
};

static FILE *input(void)
{
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    for (size_t i = 0; i < sizeof session / sizeof *session; i++)
        cr_assert_gt(fprintf(file, "Content-Length: %zu\r\n\r\n%s", strlen(session[i]), session[i]),
                     0);
    cr_assert_eq(fflush(file), 0);
    return file;
}

/* Serve the session; what it printed, which the caller frees.  *used: allocations. */
static char *serve(FILE *in, int *status, int64_t *used)
{
    FILE *out = tmpfile();
    cr_assert_not_null(out);
    cr_assert_eq(lseek(fileno(in), 0, SEEK_SET), 0);
    *status = lsp_serve(fileno(in), fileno(out));
    *used = mem_allocations();
    mem_fail_at(0, false);
    const off_t length = lseek(fileno(out), 0, SEEK_END);
    char *text = calloc((size_t)length + 1, 1);
    cr_assert_not_null(text);
    cr_assert_eq(pread(fileno(out), text, (size_t)length, 0), length);
    (void)fclose(out);
    return text;
}

/* Is each message one of those of the whole session, or does it say what a lack of memory leads
 * to? The memory of libjansson does not fail here: its scanner (2.14) does not see it, and loses
 * letters. */
static void compare(const char *text, const char *whole, long long k)
{
    static const char *const said[] = {"memory",        "is not open",        "-32700",
                                       "is initialize", "\"diagnostics\":[]", "the whole text"};
    for (const char *at = text; *at;) {
        char *body;
        const size_t length = strtoul(at + strlen("Content-Length: "), &body, 10);
        body += strlen("\r\n\r\n");
        char *message = strndup(body, length);
        bool known = strstr(whole, message) != NULL;
        for (size_t i = 0; i < sizeof said / sizeof *said; i++)
            known = known || strstr(message, said[i]);
        cr_assert(known, "allocation %lld: %s", k, message);
        free(message);
        at = body + length;
    }
}

Test(fault_lsp, session)
{
    int status;
    int64_t used;
    FILE *in = input();
    mem_fail_at(0, false);
    char *whole = serve(in, &status, &used);
    cr_assert_eq(status, 0);
    cr_assert_not_null(strstr(whole, "\"id\":12,\"result\":null"));
    const int64_t all = used;
    for (int64_t k = 1; k <= all; k++) {
        mem_fail_at(k, k % 3 == 0);
        char *text = serve(in, &status, &used);
        cr_assert_geq(used, k);
        cr_assert(status == 0 || status == 1);
        compare(text, whole, (long long)k);
        free(text);
    }
    free(whole);
    (void)fclose(in);
}
