/* The stage `denoise`: the median of the 5 x 5 pixels around each.  Beyond the border, the nearest
 * pixel on it counts.
 *
 * A histogram moves along each row.  At each step 5 values leave and 5 enter, and the search for
 * the median starts at the last one (Huang, Yang, Tang, IEEE Transactions on ASSP 27, 1979). */
#include <string.h>

#include "image.h"

enum { REACH = 2, WIDE = 2 * REACH + 1, MIDDLE = WIDE * WIDE / 2 };

typedef struct {
    int32_t count[256];
    int32_t median, under; /* values below the median */
} Window;

static int32_t clamp(int32_t value, int32_t limit)
{
    return value < 0 ? 0 : value >= limit ? limit - 1 : value;
}

/* Column x of the rows around, `by` times: 1 or -1. */
static void put_column(Window *w, const uint8_t *const *row, int32_t x, int32_t by)
{
    for (int i = 0; i < WIDE; i++) {
        uint8_t value = row[i][x];
        w->count[value] += by;
        if (value < w->median)
            w->under += by;
    }
}

static void settle(Window *w)
{
    while (w->under > MIDDLE)
        w->under -= w->count[--w->median];
    while (w->under + w->count[w->median] <= MIDDLE)
        w->under += w->count[w->median++];
}

int denoise(void *state, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    Frame frame;
    const uint8_t *from, *row[WIDE];
    uint8_t *to;
    (void)state, (void)item;
    int status = frame_read(in, 1, 0, &frame, &from);
    if (status == 0)
        status = frame_begin(out, &frame, 1, 0, &to);
    if (status)
        return status;
    int32_t width = frame.width;
    for (int32_t y = 0; y < frame.height; y++) {
        Window w;
        memset(&w, 0, sizeof w);
        for (int i = 0; i < WIDE; i++)
            row[i] = from + (size_t)clamp(y + i - REACH, frame.height) * (size_t)width;
        for (int32_t x = -REACH; x <= REACH; x++)
            put_column(&w, row, clamp(x, width), 1);
        for (int32_t x = 0; x < width; x++) {
            settle(&w);
            *to++ = (uint8_t)w.median;
            put_column(&w, row, clamp(x - REACH, width), -1);
            put_column(&w, row, clamp(x + REACH + 1, width), 1);
        }
    }
    return 0;
}
