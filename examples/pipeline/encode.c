/* The stage `encode`: regions as an R5 file (decode.c), each with its own grey, described in
 * comments. The first comment is a summary. */
#include <stdio.h>
#include <string.h>

#include "image.h"

static int put_text(GridBuffer *out, const char *text, int length)
{
    return grid_put(out, text, (size_t)length) ? IMAGE_ENOMEM : 0;
}

static Region region_at(const uint8_t *regions, int32_t i)
{
    Region region;
    memcpy(&region, regions + (size_t)i * sizeof region, sizeof region);
    return region;
}

/* How many, and where the largest is. */
static int put_summary(GridBuffer *out, const Frame *frame, const uint8_t *regions)
{
    char text[160];
    Region largest = {0};
    for (int32_t i = 0; i < frame->regions; i++) {
        Region region = region_at(regions, i);
        if (region.area > largest.area)
            largest = region;
    }
    int length = snprintf(text, sizeof text, "R5\n# %dx%d, %d region%s", frame->width,
                          frame->height, frame->regions, frame->regions == 1 ? "" : "s");
    if (frame->regions > 0)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           ", largest %.0f pixels around (%.1f, %.1f)", largest.area, largest.x,
                           largest.y);
    text[length++] = '\n';
    return put_text(out, text, length);
}

static int put_region(GridBuffer *out, int32_t number, const Region *r)
{
    char text[400];
    int length =
        snprintf(text, sizeof text, "# %d: area %.0f centre %.2f %.2f box %d %d %d %d mean %.2f hu",
                 number, r->area, r->x, r->y, r->left, r->top, r->right, r->bottom, r->mean);
    for (int i = 0; i < 7; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, " %.5g", r->hu[i]);
    text[length++] = '\n';
    return put_text(out, text, length);
}

/* Regions are bright, and neighbours in number differ; other pixels are black. */
static uint8_t shade(const uint8_t *labels, size_t pixel)
{
    uint16_t label;
    memcpy(&label, labels + pixel * sizeof label, sizeof label);
    return label ? (uint8_t)(55 + label * 67 % 200) : 0;
}

static int put_runs(GridBuffer *out, const uint8_t *labels, size_t pixels)
{
    for (size_t i = 0; i < pixels;) {
        uint8_t run[2] = {0, shade(labels, i)};
        for (; i < pixels && run[0] < 255 && shade(labels, i) == run[1]; i++)
            run[0]++;
        if (grid_put(out, run, sizeof run))
            return IMAGE_ENOMEM;
    }
    return 0;
}

int encode(void *state, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    enum { MOST_DESCRIBED = 100 }; /* the comments are for people */
    Frame frame;
    const uint8_t *labels;
    char size[64];
    (void)state, (void)item;
    int status = frame_read(in, 2, sizeof(Region), &frame, &labels);
    if (status)
        return status;
    size_t pixels = frame_pixels(&frame);
    const uint8_t *regions = labels + 2 * pixels;
    status = put_summary(out, &frame, regions);
    for (int32_t i = 0; i < frame.regions && i < MOST_DESCRIBED && status == 0; i++) {
        Region region = region_at(regions, i);
        status = put_region(out, i + 1, &region);
    }
    int length = snprintf(size, sizeof size, "%d %d\n255\n", frame.width, frame.height);
    if (status == 0)
        status = put_text(out, size, length);
    return status ? status : put_runs(out, labels, pixels);
}
