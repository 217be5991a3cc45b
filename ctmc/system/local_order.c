/* Orders the local states of a component so that most moves lead onwards. */
#include "ctmc/system/system.h"

typedef struct {
    int32_t local, next; /* a local state being left, and the next of its moves to look at */
} Frame;

/* Where the moves of a local state are: those of its offers stand side by side. */
static int32_t moves_end(const Component *c, int32_t local)
{
    return c->row[local + 1] > c->row[local] ? c->offers[c->row[local + 1] - 1].end : 0;
}

static int32_t moves_begin(const Component *c, int32_t local)
{
    return c->row[local + 1] > c->row[local] ? c->offers[c->row[local]].first : 0;
}

bool component_flow_order(const Component *c, int32_t *order)
{
    size_t n = (size_t)c->local_count;
    Frame *stack = mem_alloc(n, sizeof *stack);
    uint8_t *seen = mem_calloc(n, 1);
    int32_t depth = 0, place = c->local_count;
    if (stack && seen) {
        stack[depth++] = (Frame){0, moves_begin(c, 0)};
        seen[0] = 1;
    }
    while (depth > 0) {
        Frame *top = &stack[depth - 1];
        if (top->next == moves_end(c, top->local)) {
            order[--place] = top->local;
            depth--;
            continue;
        }
        int32_t target = c->moves[top->next++].target;
        if (!seen[target]) {
            seen[target] = 1;
            stack[depth++] = (Frame){target, moves_begin(c, target)};
        }
    }
    bool ok = stack && seen;
    mem_free_all(stack, seen);
    return ok;
}
