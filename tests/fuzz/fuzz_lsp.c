/* Any bytes from a client: the server answers, or ends.
 *
 * A line of the input is the content of a message, with its headers made here; what is behind the
 * last line is sent as it is.  `initialize` comes before all. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lsp/lsp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int worked)
{
    if (!worked)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char hello[] = "{\"id\":0,\"method\":\"initialize\"}";
    const char *at = (const char *)data, *end = at + size;
    FILE *in = tmpfile();
    const int out = open("/dev/null", O_WRONLY);
    must(in && out >= 0);
    must(fprintf(in, "Content-Length: %zu\r\n\r\n%s", strlen(hello), hello) > 0);
    for (const char *stop; at < end && (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1)
        must(fprintf(in, "Content-Length: %zu\r\n\r\n", (size_t)(stop - at)) > 0 &&
             fwrite(at, 1, (size_t)(stop - at), in) == (size_t)(stop - at));
    must(at == end || fwrite(at, 1, (size_t)(end - at), in) == (size_t)(end - at));
    must(fflush(in) == 0 && lseek(fileno(in), 0, SEEK_SET) == 0);
    const int status = lsp_serve(fileno(in), out);
    must(status == 0 || status == 1);
    (void)fclose(in);
    (void)close(out);
    return 0;
}
