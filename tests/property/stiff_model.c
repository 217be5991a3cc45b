#include "property/stiff_model.h"

#include "property/random_model.h"

#include <math.h>

Text stiff_model(uint64_t *state, uint64_t states)
{
    Text text = {0};
    for (uint64_t s = 0; s < states; s++) {
        text_add(&text, "S%d = ", (int)s);
        for (uint64_t k = 1 + random_below(state, 4); k > 0; k--)
            text_add(&text, "(a%d, %.17g).S%d%s", (int)random_below(state, 3),
                     pow(10, -4 + 9e-3 * (double)random_below(state, 1000)),
                     (int)random_below(state, states), k > 1 ? " + " : ";\n");
    }
    text_add(&text, "S0");
    return text;
}
