/* A language server for editors: the Language Server Protocol 3.17 over two file descriptors. */
#ifndef PEPA_LSP_H
#define PEPA_LSP_H

/* Serve until the client says `exit` or the input ends.
 *   in, out  open descriptors; they stay open
 * Returns 0 after `shutdown` and `exit`, else 1, as the protocol wants of a server's exit status.
 * Whatever stands in the input is answered or ends the service; nothing else is printed. */
int lsp_serve(int in, int out);

#endif
