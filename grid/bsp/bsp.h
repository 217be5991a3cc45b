/* BSPlib: bulk-synchronous parallel programs in C and C++.
 *
 *   #include <bsp.h>
 *
 *   int main(void)
 *   {
 *       bsp_begin(bsp_nprocs());
 *       int left = -1, pid = bsp_pid(), p = bsp_nprocs();
 *       bsp_push_reg(&left, sizeof left);
 *       bsp_sync();
 *       bsp_put((pid + 1) % p, &pid, &left, 0, sizeof pid);
 *       bsp_sync();                        // now left is the pid of the left neighbour
 *       bsp_end();
 *       return 0;
 *   }
 *
 * A program is a sequence of supersteps; bsp_sync ends one and begins the next.  What a superstep
 * sends has arrived when it has ended.  Sizes and offsets are in bytes, pids 0 to bsp_nprocs() - 1.
 * Calls of one process come from one thread.
 *
 * No call returns an error.  A mistake ends the program on all processes with a line on stderr that
 * names the call, the process and the superstep (counted from 0), and exit status 1.
 *
 * Source: Hill and others, BSPlib: the BSP programming library, Parallel Computing 24 (1998).  The
 * calls about groups are not in it. */
#ifndef BSP_H
#define BSP_H

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Parameter n is an address that is only compared: what is there need not have been written yet. */
#ifdef BSP_NAME
#elif defined __GNUC__ && !defined __clang__ && __GNUC__ >= 11
#define BSP_NAME(n) __attribute__((access(none, n)))
#else
#define BSP_NAME(n)
#endif

/* Names that BSPonMPI gives the types of pids and numbers of processes, and of sizes and offsets. */
#ifndef bsp_size_t
typedef int bsp_pid_t;
typedef int bsp_nprocs_t;
typedef int bsp_size_t;
#endif

/* ---- processes ------------------------------------------------------------------------------ */

/* First statement of a main in which statements come before bsp_begin: process 0 returns, the others
 * call spmd_part, whose first statement is bsp_begin and whose last is bsp_end, and exit after it.
 * Process 0 calls spmd_part itself later.  Without this call, main begins with bsp_begin. */
void bsp_init(void (*spmd_part)(void), int argc, char *argv[]);
/* Begin with at most maxprocs processes (> 0; that of process 0 counts); with fewer if there are no
 * more.  Processes that take no part exit when the others call bsp_end.  Once in a program. */
void bsp_begin(int maxprocs);
/* The parallel part ends, on all processes in the same superstep. */
void bsp_end(void);
/* Print a message as printf does, as a line of stderr, and end all processes with exit status 1.  Any process
 * may call this at any time. */
void bsp_abort(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2), noreturn))
#endif
    ;
/* From bsp_begin on, after bsp_end too: how many processes there are.  Before: how many there can be. */
int bsp_nprocs(void);
int bsp_pid(void);
/* Seconds since bsp_begin on this process's clock. */
double bsp_time(void);
/* End the superstep: gets take effect, then puts, and messages arrive. */
void bsp_sync(void);

/* ---- direct remote memory access ------------------------------------------------------------ */

/* All processes register an area of memory each, in the same order; any of these may then be read
 * and written by all.  Each process names it by its own address.  NULL with size 0: this process
 * gives none.  Holds from the next superstep on.  Of several registrations of an address the newest
 * counts. */
void bsp_push_reg(const void *ident, int size) BSP_NAME(1);
/* Undo the newest registration of an address, on all processes, from the next superstep on.  In one
 * superstep pushes and pops take effect in the order of the calls. */
void bsp_pop_reg(const void *ident) BSP_NAME(1);
/* Copy nbytes from src to process pid, `offset` bytes into the area it has registered together with
 * this process's dst.  Read now, written at the end of the superstep after all gets.  Puts that
 * overlap are written in any order.  0 bytes: nothing happens, whatever the other arguments. */
void bsp_put(int pid, const void *src, void *dst, int offset, int nbytes);
/* Copy nbytes from process pid, `offset` bytes into the area it has registered together with this
 * process's src, to dst.  Read and written at the end of the superstep before all puts. */
void bsp_get(int pid, const void *src, int offset, void *dst, int nbytes) BSP_NAME(2);
/* The same, read and written at any time until the superstep has ended: nobody may touch source
 * and destination meanwhile.  Large ones are not copied in between where the system allows. */
void bsp_hpput(int pid, const void *src, void *dst, int offset, int nbytes);
void bsp_hpget(int pid, const void *src, int offset, void *dst, int nbytes) BSP_NAME(2);

/* ---- bulk-synchronous message passing ------------------------------------------------------- */

/* The size of tags of messages from the next superstep on: 0 at first.  All processes call it as often
 * in a superstep, and give the same size at last.  *tag_nbytes becomes the size that the call before
 * this one gave. */
void bsp_set_tagsize(int *tag_nbytes);
/* Send a tag and a payload.  Both are copied now. */
void bsp_send(int pid, const void *tag, const void *payload, int payload_nbytes);
/* How many messages of the last superstep are left in this process's queue, and the bytes of their
 * payloads.  They are in any order. */
void bsp_qsize(int *nmessages, int *accum_nbytes);
/* The first message: *status becomes the size of its payload, and its tag is copied.  No message:
 * *status becomes -1. */
void bsp_get_tag(int *status, void *tag);
/* Copy the payload of the first message, or its first reception_nbytes bytes, and remove it. */
void bsp_move(void *payload, int reception_nbytes);
/* The same without a copy: *tag_ptr and *payload_ptr point to tag and payload until the next
 * superstep, aligned for numbers of 8 bytes.  Returns the size of the payload; -1: no message. */
int bsp_hpmove(void **tag_ptr, void **payload_ptr);

/* ---- groups: not in BSPlib -------------------------------------------------------------------- */

/* Colours: one group for each host; for each cluster of hosts, between which messages take about as long. */
enum { BSP_BY_HOST = -1, BSP_BY_CLUSTER = -2 };

/* Divide the innermost group (at first: all processes) into groups of processes that give the same
 * colour (>= 0).  Ends a superstep of the innermost group. */
void bsp_push_group(int colour);
/* Back to the group before. */
void bsp_pop_group(void);
/* End a superstep of the innermost group: what its processes sent each other takes effect.  What
 * went to others, registrations and the tag size wait for bsp_sync. */
void bsp_sync_group(void);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
