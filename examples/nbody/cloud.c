/* Particles: how they begin, and how they move.
 *
 * The leap-frog method is symmetric in time and symplectic: the energy's error does not grow, and
 * falls with the square of the step. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "nbody.h"

/* Of the circle on which galaxies are: so far that they are points for each other. */
static const double CIRCLE = 100;

int cloud_new(Cloud *cloud, int count)
{
    cloud->count = count;
    cloud->body = calloc((size_t)count, sizeof *cloud->body);
    cloud->velocity = calloc((size_t)count, sizeof *cloud->velocity);
    cloud->pull = calloc((size_t)count, sizeof *cloud->pull);
    return cloud->body && cloud->velocity && cloud->pull ? 0 : -1;
}

void cloud_free(Cloud *cloud)
{
    free(cloud->body);
    free(cloud->velocity);
    free(cloud->pull);
}

/* Of splitmix64 (Steele, Lea, Flood 2014): from -1 to 1. */
static double draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return ldexp((double)((z ^ z >> 31) >> 11), -52) - 1;
}

/* Evenly in a ball, turning about its axis. */
static void start_one(Body *body, Vector *velocity, uint64_t seed)
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 3; k++) {
            body->at[k] = draw(&seed);
            square += body->at[k] * body->at[k];
        }
    } while (square > 1);
    *velocity = (Vector){{-0.3 * body->at[1], 0.3 * body->at[0], 0.01 * draw(&seed)}};
}

void cloud_start(Cloud *cloud, int at, int count, int galaxy, int galaxies, int first, int total)
{
    const double angle = 2 * acos(-1) * galaxy / galaxies;
    for (int i = 0; i < count; i++) {
        Body *body = &cloud->body[at + i];
        start_one(body, &cloud->velocity[at + i],
                  (uint64_t)galaxy << 32 | (uint64_t)(uint32_t)(first + i));
        body->mass = 1.0 / total;
        if (galaxies > 1) {
            body->at[0] += CIRCLE * cos(angle);
            body->at[1] += CIRCLE * sin(angle);
        }
    }
}

void cloud_kick(Cloud *cloud, double step)
{
    for (int i = 0; i < cloud->count; i++)
        for (int k = 0; k < 3; k++)
            cloud->velocity[i].v[k] += step / 2 * cloud->pull[i].v[k];
}

void cloud_drift(Cloud *cloud, double step)
{
    cloud_kick(cloud, step);
    for (int i = 0; i < cloud->count; i++) {
        for (int k = 0; k < 3; k++)
            cloud->body[i].at[k] += step * cloud->velocity[i].v[k];
        cloud->pull[i] = (Vector){{0, 0, 0}};
    }
}

void cloud_add_motion(const Cloud *cloud, Conserved *sum)
{
    for (int i = 0; i < cloud->count; i++)
        for (int k = 0; k < 3; k++) {
            double mass = cloud->body[i].mass, speed = cloud->velocity[i].v[k];
            sum->energy += mass * speed * speed / 2;
            sum->momentum.v[k] += mass * speed;
        }
}

Body cloud_centre(const Body *body, int count)
{
    Body centre = {0, {0, 0, 0}};
    for (int i = 0; i < count; i++) {
        centre.mass += body[i].mass;
        for (int k = 0; k < 3; k++)
            centre.at[k] += body[i].mass * body[i].at[k];
    }
    for (int k = 0; k < 3; k++)
        centre.at[k] /= centre.mass;
    return centre;
}
