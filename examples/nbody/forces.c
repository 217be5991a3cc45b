/* Gravity between particles, softened so that two that meet do not fly apart.
 * Source: Aarseth, Gravitational n-body simulations, 2003, section 2. */
#include <math.h>

#include "nbody.h"

/* The square of the length over which gravity is softened: a twentieth of a galaxy's radius. */
#define SOFTENED (0.05 * 0.05)

static double square_between(const Body *a, const Body *b, double away[3])
{
    double square = SOFTENED;
    for (int k = 0; k < 3; k++) {
        away[k] = b->at[k] - a->at[k];
        square += away[k] * away[k];
    }
    return square;
}

void forces_add(const Body *body, Vector *pull, int count, const Body *other, int others)
{
    for (int i = 0; i < count; i++) {
        Vector sum = pull[i];
        for (int j = 0; j < others; j++) {
            double away[3], square = square_between(&body[i], &other[j], away);
            double weight = other[j].mass / (square * sqrt(square));
            for (int k = 0; k < 3; k++)
                sum.v[k] += weight * away[k];
        }
        pull[i] = sum;
    }
}

double forces_energy(const Body *body, int count, const Body *other, int others)
{
    double energy = 0, away[3];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < others; j++)
            if (&body[i] != &other[j])
                energy -=
                    body[i].mass * other[j].mass / sqrt(square_between(&body[i], &other[j], away));
    return energy;
}
