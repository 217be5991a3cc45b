/* Reads a state from its text, "(Stage1, Stage2_2, Client:3|ClientWait:1)". */
#include <stdlib.h>
#include <string.h>

#include "ctmc/explore/walk.h"

typedef struct {
    const System *system;
    const char *at; /* what is still to be read */
    int32_t *cells;
    PepaError *err;
} Reader;

static void skip_blanks(Reader *r)
{
    r->at += strspn(r->at, " \t");
}

static bool take(Reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

/* What a slot has, for messages: its place in the state, and the name it begins with. */
static PepaStatus wrong(const Reader *r, int32_t slot, const char *what)
{
    const System *s = r->system;
    const Component *c = &s->components[s->slots[slot].component];
    return error_set(r->err, PEPA_EARG, "component %d of the state (%s): %s, at `%.40s`", slot + 1,
                     s->model->locals[c->local[0]].name, what, r->at);
}

/* The longest name of a local state of the component that the text goes on with, and that ends
 * there; -1: none.  Quoted names may have any characters. */
static int32_t take_local(Reader *r, const Component *c)
{
    int32_t found = -1;
    size_t longest = 0;
    skip_blanks(r);
    for (int32_t l = 0; l < c->local_count; l++) {
        const char *name = r->system->model->locals[c->local[l]].name;
        const size_t length = strlen(name);
        if (length > longest && strncmp(r->at, name, length) == 0 &&
            (r->at[length] == '\0' || strchr(",:|) \t", r->at[length]))) {
            found = l;
            longest = length;
        }
    }
    r->at += longest;
    return found;
}

/* "Client:3|ClientWait:1"; of one copy, or of all in one local state, the number may be left out. */
static PepaStatus read_counted(Reader *r, int32_t index)
{
    const Slot *slot = &r->system->slots[index];
    const Component *c = &r->system->components[slot->component];
    int64_t left = slot->copies;
    for (int32_t l = 0; l < c->local_count; l++)
        r->cells[slot->cell + l] = 0;
    do {
        const int32_t local = take_local(r, c);
        if (local < 0)
            return wrong(r, index, "no local state of it");
        long long copies = left;
        if (take(r, ':')) {
            char *end;
            copies = strtoll(r->at, &end, 10);
            if (end == r->at)
                return wrong(r, index, "a number of copies is missing");
            r->at = end;
        }
        if (copies < 0 || copies > left)
            return wrong(r, index, "more copies than there are, before here");
        r->cells[slot->cell + local] += (int32_t)copies;
        left -= copies;
    } while (take(r, '|'));
    return left == 0 ? PEPA_OK : wrong(r, index, "fewer copies than there are, before here");
}

static PepaStatus read_slot(Reader *r, int32_t index)
{
    const Slot *slot = &r->system->slots[index];
    if (slot->copies)
        return read_counted(r, index);
    const int32_t local = take_local(r, &r->system->components[slot->component]);
    if (local < 0)
        return wrong(r, index, "no local state of it");
    r->cells[slot->cell] = local;
    return PEPA_OK;
}

PepaStatus state_read(const System *system, const char *text, int32_t *cells, PepaError *err)
{
    Reader r = {system, text, cells, err};
    memset(cells, 0, (size_t)system->cell_count * sizeof *cells);
    const bool opened = take(&r, '(');
    for (int32_t i = 0; i < system->slot_count; i++) {
        if (i > 0 && !take(&r, ','))
            return wrong(&r, i, "a comma is missing before it");
        PepaStatus status = read_slot(&r, i);
        if (status != PEPA_OK)
            return status;
    }
    if (opened && !take(&r, ')'))
        return error_set(err, PEPA_EARG, "the state has %d components; a `)` is missing at `%.40s`",
                         system->slot_count, r.at);
    skip_blanks(&r);
    if (*r.at)
        return error_set(err, PEPA_EARG, "the state has %d components; `%.40s` is too much",
                         system->slot_count, r.at);
    system_canonical(system, cells);
    return PEPA_OK;
}
