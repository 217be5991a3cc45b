/* Synthetic images: repeatable, with moving shapes. */
#include <stdio.h>
#include <stdlib.h>

#include "image.h"

/* SplitMix64: Steele, Lea, Flood, OOPSLA 2014. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static int32_t below(uint64_t *state, int32_t limit)
{
    return (int32_t)(next_random(state) % (uint64_t)limit);
}

enum { SHAPES = 4 };

typedef struct {
    int32_t x, y, half, grey;
    int round;
} Shape;

/* The positions of shapes for an item: each moves, and re-enters on the other side. */
static void place_shapes(uint64_t seed, int32_t size, int64_t item, Shape *shape)
{
    uint64_t state = seed;
    for (int i = 0; i < SHAPES; i++) {
        int32_t least = size / 16 + 1;
        shape[i].half = least + below(&state, least);
        shape[i].grey = 120 + below(&state, 120);
        shape[i].round = i % 2;
        int64_t x = below(&state, size), y = below(&state, size);
        int64_t across = 1 + below(&state, least), down = 1 + below(&state, least);
        shape[i].x = (int32_t)((x + item % size * across) % size);
        shape[i].y = (int32_t)((y + item % size * down) % size);
    }
}

static int within(const Shape *shape, int32_t dx, int32_t dy)
{
    return !shape->round || dx * dx + dy * dy <= shape->half * shape->half;
}

/* A gradient, and the shapes on it, the later ones above. */
static void draw(const Shape *shape, int32_t size, uint8_t *grey)
{
    for (int32_t y = 0; y < size; y++)
        for (int32_t x = 0; x < size; x++)
            grey[(size_t)y * (size_t)size + (size_t)x] =
                (uint8_t)(16 + 40 * x / size + 24 * y / size);
    for (int i = 0; i < SHAPES; i++)
        for (int32_t dy = -shape[i].half; dy <= shape[i].half; dy++)
            for (int32_t dx = -shape[i].half; dx <= shape[i].half; dx++) {
                int32_t x = shape[i].x + dx, y = shape[i].y + dy;
                if (x >= 0 && x < size && y >= 0 && y < size && within(&shape[i], dx, dy))
                    grey[(size_t)y * (size_t)size + (size_t)x] = (uint8_t)shape[i].grey;
            }
}

/* Noise on all pixels, and a few outliers; one random number for both. */
static uint8_t disturb(uint8_t grey, uint64_t random)
{
    enum { NOISE = 9, ONE_IN = 64 };
    int32_t value = grey + (int32_t)(random >> 16 & 0xffff) % NOISE - NOISE / 2;
    if (random % ONE_IN == 0)
        return random >> 32 & 1 ? 255 : 0;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* lines of a PGM have at most 70 characters */
enum { PER_LINE = 16, PER_VALUE = 4 };

/* A value and what separates it from the next; how many characters. */
static size_t put_value(char *to, int32_t value, int last)
{
    size_t length = 0;
    if (value >= 100)
        to[length++] = (char)('0' + value / 100);
    if (value >= 10)
        to[length++] = (char)('0' + value / 10 % 10);
    to[length++] = (char)('0' + value % 10);
    to[length++] = last ? '\n' : ' ';
    return length;
}

static int put_rows(GridBuffer *out, const uint8_t *grey, int32_t size, uint64_t noise)
{
    char text[PER_LINE * PER_VALUE];
    for (int32_t y = 0; y < size; y++)
        for (int32_t x = 0; x < size;) {
            size_t length = 0;
            for (int i = 0; i < PER_LINE && x < size; i++, x++)
                length += put_value(text + length, disturb(*grey++, next_random(&noise)),
                                    i == PER_LINE - 1 || x == size - 1);
            if (grid_put(out, text, length))
                return IMAGE_ENOMEM;
        }
    return 0;
}

int image_make(uint64_t seed, int32_t size, int64_t item, GridBuffer *out)
{
    Shape shape[SHAPES];
    char text[64];
    int length = snprintf(text, sizeof text, "P2\n%d %d\n255\n", size, size);
    uint8_t *grey = malloc((size_t)size * (size_t)size);
    int status = grey && grid_put(out, text, (size_t)length) == 0 ? 0 : IMAGE_ENOMEM;
    if (status == 0) {
        place_shapes(seed, size, item, shape);
        draw(shape, size, grey);
        status =
            put_rows(out, grey, size, seed ^ ((uint64_t)item + 1) * UINT64_C(0xD1342543DE82EF95));
    }
    free(grey);
    return status;
}
