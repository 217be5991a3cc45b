/* The names of kinds of programs. */
#include "amoget/program/kind.h"

const char *kind_name(AmogetProgramKind kind)
{
    static const char *const names[] = {"groups", "graph", "tree", "ring", "singleton"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "";
}
