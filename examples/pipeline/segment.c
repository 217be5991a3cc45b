/* The stage `segment`: regions of pixels that are no edges and connected by their sides.
 *
 * Two passes with a forest of labels (Rosenfeld, Pfaltz, Journal of the ACM 13, 1966).  Regions of
 * fewer than LEAST_AREA pixels get no label, nor those after the first MOST_REGIONS; the others are
 * numbered by their first pixels. */
#include <stdlib.h>
#include <string.h>

#include "image.h"

enum { LEAST_AREA = 16 };

static int32_t root(int32_t *parent, int32_t label)
{
    while (parent[label] != label)
        label = parent[label] = parent[parent[label]];
    return label;
}

/* The older label of two that turn out to be one region's. */
static int32_t unite(int32_t *parent, int32_t a, int32_t b)
{
    a = root(parent, a);
    b = root(parent, b);
    int32_t first = a < b ? a : b;
    parent[a] = parent[b] = first;
    return first;
}

/* A label for each pixel, 0 on edges; parent: a place for each pixel and one more.  Returns the
 * number of labels. */
static int32_t first_pass(const Frame *frame, const uint8_t *mask, int32_t *label, int32_t *parent)
{
    int32_t labels = 0, width = frame->width;
    for (int32_t y = 0; y < frame->height; y++)
        for (int32_t x = 0; x < width; x++, mask++, label++) {
            int32_t left = x > 0 ? label[-1] : 0, above = y > 0 ? *(label - width) : 0;
            if (*mask) {
                *label = 0;
            } else if (left && above) {
                *label = unite(parent, left, above);
            } else if (left || above) {
                *label = left ? left : above;
            } else {
                *label = ++labels;
                parent[labels] = labels;
            }
        }
    return labels;
}

/* Numbers for labels whose regions are large enough; number, area: labels + 1. */
static int32_t number_regions(int32_t labels, const int32_t *parent, const int32_t *area,
                              int32_t *number)
{
    int32_t regions = 0;
    for (int32_t i = 1; i <= labels; i++) {
        if (parent[i] != i)
            number[i] = number[parent[i]]; /* roots come first, and parents are roots by now */
        else
            number[i] = area[i] >= LEAST_AREA && regions < MOST_REGIONS ? ++regions : 0;
    }
    return regions;
}

/* memory: 4 (pixels + 1). */
static int32_t label_regions(const Frame *frame, const uint8_t *mask, int32_t *memory, uint16_t *to)
{
    size_t pixels = frame_pixels(frame);
    int32_t *label = memory, *parent = label + pixels + 1, *area = parent + pixels + 1,
            *number = area + pixels + 1;
    int32_t labels = first_pass(frame, mask, label, parent);
    for (int32_t i = 0; i <= labels; i++)
        area[i] = number[i] = 0;
    for (int32_t i = 1; i <= labels; i++)
        parent[i] = root(parent, i);
    for (size_t i = 0; i < pixels; i++)
        if (label[i])
            area[parent[label[i]]]++;
    int32_t regions = number_regions(labels, parent, area, number);
    for (size_t i = 0; i < pixels; i++)
        to[i] = (uint16_t)number[label[i]];
    return regions;
}

int segment(void *state, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    Frame frame;
    const uint8_t *from;
    uint8_t *to;
    (void)state, (void)item;
    int status = frame_read(in, 2, 0, &frame, &from);
    if (status)
        return status;
    size_t pixels = frame_pixels(&frame);
    int32_t *memory = malloc(4 * (pixels + 1) * sizeof *memory);
    uint16_t *label = malloc(pixels * sizeof *label);
    if (memory && label) {
        frame.regions = label_regions(&frame, from + pixels, memory, label);
        status = frame_begin(out, &frame, 3, 0, &to);
    } else {
        status = IMAGE_ENOMEM;
    }
    if (status == 0) {
        memcpy(to, from, pixels);
        memcpy(to + pixels, label, pixels * sizeof *label); /* which may not be aligned there */
    }
    free(memory);
    free(label);
    return status;
}
