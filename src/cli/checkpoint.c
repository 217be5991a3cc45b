/* Files of solutions that can be gone on with.  A file is written beside the old one and takes its
 * place when it is whole; each process writes its own states. */
#define _XOPEN_SOURCE 700 /* pread, pwrite */
#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ending.h"
#include "tool.h"

static const char magic[8] = "pepakept";

/* ---- signals --------------------------------------------------------------------------------- */

void checkpoint_listen(bool listens)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGUSR1};
    ending_listen(numbers, sizeof numbers / sizeof *numbers, listens);
}

bool checkpoint_ends(const Checkpoint *c)
{
    return c->path && ending_told();
}

bool duration(const char *text, double *seconds)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
    char digits[32], unit[4] = "s", rest;
    const int parts = sscanf(text, "%31[0-9.] %3s%c", digits, unit, &rest);
    if (parts < 1 || parts > 2 || !number(digits, seconds))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].unit) == 0) {
            *seconds *= units[i].seconds;
            return *seconds > 0;
        }
    return false;
}

/* ---- checksums ------------------------------------------------------------------------------- */

/* Fowler, Noll, Vo: FNV-1a. */
static uint64_t mix(uint64_t sum, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ byte[i]) * 1099511628211u;
    return sum;
}

bool checkpoint_model(const PepaModel *model, uint64_t *sum)
{
    char *text = NULL;
    if (pepa_model_print(model, &text, NULL) != PEPA_OK)
        return false;
    *sum = mix(14695981039346656037u, text, strlen(text));
    for (int32_t r = 0; r < pepa_model_rate_count(model); r++) {
        const double value = pepa_model_rate_value(model, r);
        *sum = mix(*sum, &value, sizeof value);
    }
    pepa_text_free(text);
    return true;
}

/* What states and their order depend on.  False: memory is out. */
static bool identify(const PepaModel *model, const PepaChain *chain, uint64_t *sum)
{
    const PepaChainInfo info = pepa_chain_info(chain);
    if (!checkpoint_model(model, sum))
        return false;
    const int64_t sizes[] = {info.states,       info.transitions, info.positions,
                             info.local_states, info.aggregated,  info.symbolic};
    *sum = mix(*sum, sizes, sizeof sizes);
    return true;
}

/* Of a vector, whatever the pieces and their order. */
static uint64_t sum_of(int64_t first, int64_t count, const double *pi)
{
    uint64_t sum = 0, bits;
    for (int64_t i = 0; i < count; i++) {
        memcpy(&bits, &pi[i], sizeof bits);
        sum += (bits + 1) * (2 * (uint64_t)(first + i) + 1);
    }
    return sum;
}

/* Of the whole file: of the head as well as the vector. */
static uint64_t sum_with_head(CheckpointHead head, uint64_t vector)
{
    head.sum = 0;
    return mix(vector, &head, sizeof head);
}

/* ---- processes ------------------------------------------------------------------------------- */

static const PepaProcesses *processes(const Checkpoint *c)
{
    return c->together ? c->together->processes : NULL;
}

static bool is_first(const Checkpoint *c)
{
    return !processes(c) || processes(c)->rank == 0;
}

/* The largest of all processes. */
static double agree(const Checkpoint *c, double mine)
{
    if (processes(c))
        processes(c)->largest(processes(c)->user, &mine, 1);
    return mine;
}

/* Sums are of doubles, which hold some bits each. */
static uint64_t sum_all(const Checkpoint *c, uint64_t mine)
{
    enum { LIMBS = 4, BITS = 16 };
    double limb[LIMBS];
    uint64_t sum = 0;
    for (int i = 0; i < LIMBS; i++)
        limb[i] = (double)((mine >> (BITS * i)) & 0xffff);
    if (processes(c))
        processes(c)->sum(processes(c)->user, limb, LIMBS);
    for (int i = 0; i < LIMBS; i++)
        sum += (uint64_t)limb[i] << (BITS * i);
    return sum;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* All of it, at a place of the file; false: *why is an errno, 0 at its end. */
static bool move(int fd, bool writes, void *data, size_t size, int64_t place, int *why)
{
    char *at = data;
    while (size > 0) {
        const ssize_t done =
            writes ? pwrite(fd, at, size, (off_t)place) : pread(fd, at, size, (off_t)place);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            *why = done < 0 ? errno : 0;
            return false;
        }
        at += done;
        place += done;
        size -= (size_t)done;
    }
    return true;
}

static int64_t place_of(int64_t state)
{
    return (int64_t)sizeof(CheckpointHead) + state * (int64_t)sizeof(double);
}

static void shut(Checkpoint *c)
{
    if (c->fd >= 0 && close(c->fd) != 0 && !c->failed)
        c->failed = errno;
    c->fd = -1;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int is_due(void *user, double seconds)
{
    const Checkpoint *c = user;
    return seconds >= c->every || ending_told();
}

/* The first process makes the file; then the others open it. */
static int begin(void *user, const PepaProgress *now)
{
    Checkpoint *c = user;
    shut(c);
    c->failed = 0;
    c->head.sum = 0;
    c->head.iterations = c->begun.iterations + now->count;
    c->head.seconds = c->begun.seconds + now->seconds;
    c->head.measure = now->measure;
    if (is_first(c)) {
        c->fd = open(c->part, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        c->failed = c->fd < 0 ? errno : 0;
    }
    if (agree(c, c->failed) == 0 && !is_first(c)) {
        c->fd = open(c->part, O_WRONLY);
        c->failed = c->fd < 0 ? errno : 0;
    }
    return c->fd < 0;
}

static int piece(void *user, int64_t first, int64_t count, const double *pi)
{
    Checkpoint *c = user;
    void *data = (void *)(uintptr_t)pi; /* it is only read */
    c->head.sum += sum_of(first, count, pi);
    return !move(c->fd, true, data, (size_t)count * sizeof *pi, place_of(first), &c->failed);
}

static int end(void *user, int ok)
{
    Checkpoint *c = user;
    const uint64_t sum = sum_all(c, c->head.sum);
    CheckpointHead head = c->head;
    head.sum = sum_with_head(c->head, sum);
    bool done = ok && (!is_first(c) || move(c->fd, true, &head, sizeof head, 0, &c->failed));
    if (done && fsync(c->fd) != 0)
        c->failed = errno;
    shut(c);
    const int why = (int)agree(c, c->failed);
    done = why == 0;
    if (done && is_first(c) && rename(c->part, c->path) != 0) {
        c->failed = errno;
        done = false;
    }
    if (!done && is_first(c)) {
        (void)remove(c->part);
        if (!c->said)
            (void)fprintf(stderr, "%s: cannot write %s: %s; the solution goes on\n", program,
                          c->path, strerror(why ? why : c->failed));
        c->said = true;
    }
    if (done)
        c->held = head.iterations;
    return !done;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int load(void *user, int64_t first, int64_t count, double *pi)
{
    Checkpoint *c = user;
    return !move(c->fd, false, pi, (size_t)count * sizeof *pi, place_of(first), &c->failed);
}

/* Why it cannot be gone on from; NULL: it can. */
static const char *judge_head(const Checkpoint *c)
{
    const CheckpointHead *has = &c->begun, *wanted = &c->head;
    if (memcmp(has->magic, wanted->magic, sizeof has->magic) != 0 || has->order != wanted->order)
        return "is no checkpoint of this machine";
    if (memcmp(has->version, wanted->version, sizeof has->version) != 0)
        return "is of another version of pepa";
    if (has->chain != wanted->chain || has->states != wanted->states)
        return "is of another model, or of other rates or options";
    return NULL;
}

static const char *judge_states(const Checkpoint *c)
{
    enum { AT_ONCE = 1 << 16 };
    double *pi = malloc(AT_ONCE * sizeof *pi);
    uint64_t sum = 0;
    int why;
    bool ok = pi;
    for (int64_t i = 0; i < c->begun.states && ok; i += AT_ONCE) {
        const int64_t left = c->begun.states - i, count = left < AT_ONCE ? left : AT_ONCE;
        ok = move(c->fd, false, pi, (size_t)count * sizeof *pi, place_of(i), &why);
        sum += ok ? sum_of(i, count, pi) : 0;
    }
    free(pi);
    struct stat is;
    ok = ok && fstat(c->fd, &is) == 0 && is.st_size == place_of(c->begun.states);
    return !pi                                                   ? "needs more memory to be read"
           : !ok || sum_with_head(c->begun, sum) != c->begun.sum ? "is damaged"
                                                                 : NULL;
}

/* GO_ON: there is none. */
static int open_old(Checkpoint *c)
{
    enum { MISSING = 1, SHORT, NO_FILE, UNREADABLE };
    struct stat is;
    double how = 0;
    int why = 0;
    c->fd = open(c->path, O_RDONLY | O_NONBLOCK); /* a pipe may have nobody who writes */
    if (c->fd < 0)
        how = errno == ENOENT ? MISSING : UNREADABLE;
    const int failure = errno;
    if (c->fd >= 0 && !(fstat(c->fd, &is) == 0 && S_ISREG(is.st_mode)))
        how = NO_FILE;
    else if (c->fd >= 0 && !move(c->fd, false, &c->begun, sizeof c->begun, 0, &why))
        how = SHORT;
    how = agree(c, how);
    if (how == MISSING)
        return GO_ON;
    if (how == UNREADABLE)
        return fail(EXIT_INPUT, "%s: cannot open %s: %s", program, c->path, strerror(failure));
    if (how == NO_FILE)
        return fail(EXIT_INPUT, "%s: %s is no file", program, c->path);
    const char *wrong = how == SHORT ? "is damaged" : judge_head(c);
    if (agree(c, wrong != NULL) == 0 && is_first(c))
        wrong = judge_states(c);
    if (agree(c, wrong != NULL) == 0)
        return EXIT_SOLVED;
    return fail(EXIT_INPUT, "%s: %s %s", program, c->path,
                wrong ? wrong : "cannot be gone on from");
}

/* ---- all of it ------------------------------------------------------------------------------- */

int checkpoint_open(Checkpoint *c, const char *path, double every, bool resume,
                    const Together *together, const PepaModel *model, const PepaChain *chain)
{
    static const char ending[] = ".part";
    *c = (Checkpoint){.path = path, .every = every, .together = together, .fd = -1, .held = -1};
    memcpy(c->head.magic, magic, sizeof magic);
    c->head.order = 1;
    (void)snprintf(c->head.version, sizeof c->head.version, "%s", pepa_version());
    const PepaChainInfo info = pepa_chain_info(chain);
    c->head.states = info.states + !info.symbolic; /* and the order of rows */
    c->keeping = (PepaKeeping){.user = c,
                               .due = is_due,
                               .begin = begin,
                               .piece = piece,
                               .end = end,
                               .portable = 1};
    c->part = malloc(strlen(path) + sizeof ending);
    if (!c->part || !identify(model, chain, &c->head.chain))
        return out_of_memory();
    (void)snprintf(c->part, strlen(path) + sizeof ending, "%s%s", path, ending);
    if (!resume)
        return agree(c, access(path, F_OK) == 0) == 0
                   ? EXIT_SOLVED
                   : fail(EXIT_USAGE,
                          "%s: %s is there already: --resume goes on from it; or remove it",
                          program, path);
    const int status = open_old(c);
    if (status == EXIT_SOLVED) {
        c->keeping.load = load;
        c->held = c->begun.iterations;
    } else {
        shut(c);
    }
    return status == GO_ON ? EXIT_SOLVED : status;
}

int checkpoint_ended(const Checkpoint *c)
{
    if (c->held < 0)
        return fail(EXIT_UNSOLVED, "%s: ended by a signal; nothing was kept", program);
    if (access(c->path, R_OK) != 0)
        return fail(EXIT_UNSOLVED, "%s: ended by a signal; nothing could be kept in %s: %s",
                    program, c->path, strerror(errno));
    return fail(EXIT_UNSOLVED,
                "%s: ended by a signal; %s has %lld iteration%s: --resume goes on from it", program,
                c->path, (long long)c->held, c->held == 1 ? "" : "s");
}

void checkpoint_free(Checkpoint *c)
{
    shut(c);
    free(c->part);
    *c = (Checkpoint){.fd = -1};
}

void checkpoint_done(const Checkpoint *c)
{
    if (!is_first(c) || c->held < 0 || remove(c->path) == 0 || errno == ENOENT)
        return;
    (void)fprintf(stderr, "%s: cannot remove %s: %s; the report is complete, remove it yourself\n",
                  program, c->path, strerror(errno));
}
