/* Finds the known name nearest to an unknown one. */
#include "base/suggest.h"

#include <string.h>

#include "base/intern.h"

const char *suggest(const char *name, const char *const *names, size_t count)
{
    enum { SHORTEST = 3 }; /* of one or two letters, every other name would be near */
    const char *nearest = NULL;
    if (strlen(name) < SHORTEST)
        return NULL;
    int least = strlen(name) == SHORTEST ? 2 : 3; /* fewer edits than that */
    for (size_t i = 0; i < count; i++) {
        int distance = name_distance(name, names[i], least);
        if (distance > 0 && distance < least) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
