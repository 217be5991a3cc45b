/* The stage `edges`: edges where the image differs from the background.
 *
 * The background is a running mean of the earlier images, of which the latest MEMORY count most.
 * Before the first image, or one of another size, it is black.  Edges: the gradient
 * (Sobel) where it is above a threshold (Otsu, IEEE Transactions on Systems, Man and Cybernetics 9,
 * 1979), or above half of it and connected with such places (as Canny, 1986, but not thinned: so
 * that edges are closed). */
#include <stdlib.h>
#include <string.h>

#include "image.h"

enum { MEMORY = 16, FRACTION = 8 }; /* the mean has so many bits after the point */

typedef struct {
    int32_t width, height, images;
    int32_t *mean;
} Background;

void *background_create(void *user)
{
    (void)user;
    return calloc(1, sizeof(Background));
}

void background_destroy(void *state)
{
    Background *background = state;
    if (background)
        free(background->mean);
    free(background);
}

static size_t mean_size(const Background *b)
{
    return (size_t)b->width * (size_t)b->height * sizeof *b->mean;
}

int background_pack(const void *state, GridBuffer *out)
{
    const Background *b = state;
    const int32_t head[3] = {b->width, b->height, b->images};
    if (grid_put(out, head, sizeof head) || (b->mean && grid_put(out, b->mean, mean_size(b))))
        return IMAGE_ENOMEM;
    return 0;
}

static int renew(Background *b, int32_t width, int32_t height)
{
    size_t pixels = (size_t)width * (size_t)height;
    int32_t *mean = calloc(pixels ? pixels : 1, sizeof *mean);
    if (!mean)
        return IMAGE_ENOMEM;
    free(b->mean);
    *b = (Background){width, height, 0, mean};
    return 0;
}

int background_unpack(void *state, const GridBuffer *in)
{
    Background *b = state;
    int32_t head[3];
    if (in->size < sizeof head)
        return IMAGE_EFORMAT;
    memcpy(head, in->bytes, sizeof head);
    if (renew(b, head[0], head[1]))
        return IMAGE_ENOMEM;
    b->images = head[2];
    if (in->size - sizeof head != mean_size(b))
        return IMAGE_EFORMAT;
    memcpy(b->mean, in->bytes + sizeof head, mean_size(b));
    return 0;
}

/* The difference from the background; then the mean is updated. */
static void subtract(Background *b, const uint8_t *grey, uint8_t *to, size_t pixels)
{
    if (b->images < MEMORY)
        b->images++;
    for (size_t i = 0; i < pixels; i++) {
        int32_t value = grey[i] << FRACTION, difference = value - b->mean[i];
        to[i] = (uint8_t)(abs(difference) >> FRACTION);
        b->mean[i] += difference / b->images;
    }
}

/* |d/dx| + |d/dy| after Sobel, a quarter of it, at most 255. */
static uint8_t gradient(const uint8_t *const row[3], const int32_t x[3])
{
    int32_t across = row[0][x[2]] + 2 * row[1][x[2]] + row[2][x[2]] - row[0][x[0]] -
                     2 * row[1][x[0]] - row[2][x[0]];
    int32_t down = row[2][x[0]] + 2 * row[2][x[1]] + row[2][x[2]] - row[0][x[0]] -
                   2 * row[0][x[1]] - row[0][x[2]];
    int32_t sum = (abs(across) + abs(down)) / 4;
    return (uint8_t)(sum > 255 ? 255 : sum);
}

static void gradients(const Frame *frame, const uint8_t *grey, uint8_t *to)
{
    int32_t width = frame->width, height = frame->height;
    for (int32_t y = 0; y < height; y++) {
        const uint8_t *const row[3] = {grey + (size_t)(y > 0 ? y - 1 : 0) * (size_t)width,
                                       grey + (size_t)y * (size_t)width,
                                       grey + (size_t)(y + 1 < height ? y + 1 : y) * (size_t)width};
        for (int32_t x = 0; x < width; x++) {
            const int32_t near[3] = {x > 0 ? x - 1 : 0, x, x + 1 < width ? x + 1 : x};
            *to++ = gradient(row, near);
        }
    }
}

/* Otsu's threshold: the one that maximises the variance between the two classes. */
static int threshold_of(const uint8_t *values, size_t count)
{
    int64_t histogram[256] = {0}, sum = 0, low = 0, low_sum = 0;
    double best = 0;
    int threshold = 255;
    for (size_t i = 0; i < count; i++)
        histogram[values[i]]++;
    for (int v = 0; v < 256; v++)
        sum += v * histogram[v];
    for (int v = 0; v < 255; v++) {
        low += histogram[v];
        low_sum += v * histogram[v];
        int64_t high = (int64_t)count - low;
        if (low == 0 || high == 0)
            continue;
        double apart = (double)low_sum / (double)low - (double)(sum - low_sum) / (double)high;
        double between = (double)low * (double)high * apart * apart;
        if (between > best)
            best = between, threshold = v;
    }
    return threshold;
}

/* Extend an edge to connected pixels above `low`; stack: as many entries as pixels. */
static void grow(const Frame *frame, uint8_t *mask, size_t from, int low, int32_t *stack)
{
    size_t depth = 0;
    mask[from] = 255;
    stack[depth++] = (int32_t)from;
    while (depth > 0) {
        int32_t place = stack[--depth], x = place % frame->width, y = place / frame->width;
        for (int32_t v = y > 0 ? y - 1 : y; v <= y + 1 && v < frame->height; v++)
            for (int32_t u = x > 0 ? x - 1 : x; u <= x + 1 && u < frame->width; u++) {
                uint8_t *near = &mask[(size_t)v * (size_t)frame->width + (size_t)u];
                if (*near > low && *near < 255) {
                    *near = 255;
                    stack[depth++] = (int32_t)(near - mask);
                }
            }
    }
}

/* Gradients in, at most 254 (255: found to be an edge); edges out. */
static int find_edges(const Frame *frame, uint8_t *mask)
{
    enum { LEAST = 8 }; /* smaller values are noise */
    size_t pixels = frame_pixels(frame);
    int32_t *stack = malloc(pixels * sizeof *stack);
    if (!stack)
        return IMAGE_ENOMEM;
    for (size_t i = 0; i < pixels; i++)
        mask[i] = mask[i] == 255 ? 254 : mask[i];
    int high = threshold_of(mask, pixels);
    high = high < LEAST ? LEAST : high;
    for (size_t i = 0; i < pixels; i++)
        if (mask[i] > high && mask[i] < 255)
            grow(frame, mask, i, high / 2, stack);
    for (size_t i = 0; i < pixels; i++)
        mask[i] = mask[i] == 255 ? 255 : 0;
    free(stack);
    return 0;
}

int edges(void *state, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    Background *background = state;
    Frame frame;
    const uint8_t *grey;
    uint8_t *to;
    (void)item;
    int status = frame_read(in, 1, 0, &frame, &grey);
    if (status == 0 && (frame.width != background->width || frame.height != background->height))
        status = renew(background, frame.width, frame.height);
    if (status == 0)
        status = frame_begin(out, &frame, 2, 0, &to);
    if (status)
        return status;
    subtract(background, grey, to, frame_pixels(&frame));
    gradients(&frame, to, to + frame_pixels(&frame));
    return find_edges(&frame, to + frame_pixels(&frame));
}
