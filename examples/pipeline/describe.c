/* The stage `describe`: regions' area, centre, box, mean grey, and Hu's moments, which stay the
 * same when a region is moved, scaled or turned. */
#include <stdlib.h>
#include <string.h>

#include "image.h"

/* Central moments of the pixels' centres. */
typedef struct {
    double m20, m11, m02, m30, m21, m12, m03;
} Moments;

static uint16_t label_at(const uint8_t *labels, size_t pixel)
{
    uint16_t label;
    memcpy(&label, labels + pixel * sizeof label, sizeof label);
    return label;
}

/* Areas, centres, boxes and means; all zero before. */
static void measure(const Frame *frame, const uint8_t *grey, const uint8_t *labels, Region *region)
{
    size_t i = 0;
    for (int32_t y = 0; y < frame->height; y++)
        for (int32_t x = 0; x < frame->width; x++, i++) {
            uint16_t label = label_at(labels, i);
            if (label == 0)
                continue;
            Region *r = &region[label - 1];
            if (r->area == 0)
                r->left = x, r->top = y;
            r->left = x < r->left ? x : r->left;
            r->right = x > r->right ? x : r->right;
            r->bottom = y;
            r->area++;
            r->x += x, r->y += y, r->mean += grey[i];
        }
    for (int32_t k = 0; k < frame->regions; k++) {
        Region *r = &region[k];
        if (r->area > 0)
            r->x /= r->area, r->y /= r->area, r->mean /= r->area;
    }
}

static void add_moments(const Frame *frame, const uint8_t *labels, const Region *region,
                        Moments *moments)
{
    size_t i = 0;
    for (int32_t y = 0; y < frame->height; y++)
        for (int32_t x = 0; x < frame->width; x++, i++) {
            uint16_t label = label_at(labels, i);
            if (label == 0)
                continue;
            Moments *m = &moments[label - 1];
            double u = x - region[label - 1].x, v = y - region[label - 1].y;
            m->m20 += u * u, m->m11 += u * v, m->m02 += v * v;
            m->m30 += u * u * u, m->m21 += u * u * v, m->m12 += u * v * v, m->m03 += v * v * v;
        }
}

/* The seven invariants, from moments divided by area^((order + 2) / 2).  Moments of order 3 occur
 * in pairs only: area^5 for both, and no root is needed. */
static void invariants(const Moments *m, double area, double *hu)
{
    double a2 = area * area, a5 = a2 * a2 * area;
    double n20 = m->m20 / a2, n11 = m->m11 / a2, n02 = m->m02 / a2;
    double p = m->m30 - 3 * m->m12, q = 3 * m->m21 - m->m03;
    double s = m->m30 + m->m12, t = m->m21 + m->m03;
    hu[0] = n20 + n02;
    hu[1] = (n20 - n02) * (n20 - n02) + 4 * n11 * n11;
    hu[2] = (p * p + q * q) / a5;
    hu[3] = (s * s + t * t) / a5;
    hu[4] = (p * s * (s * s - 3 * t * t) + q * t * (3 * s * s - t * t)) / a5 / a5;
    hu[5] = ((n20 - n02) * (s * s - t * t) + 4 * n11 * s * t) / a5;
    hu[6] = (q * s * (s * s - 3 * t * t) - p * t * (3 * s * s - t * t)) / a5 / a5;
}

int describe(void *state, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    Frame frame;
    const uint8_t *grey;
    uint8_t *to;
    (void)state, (void)item;
    int status = frame_read(in, 3, 0, &frame, &grey);
    if (status)
        return status;
    size_t pixels = frame_pixels(&frame), regions = (size_t)frame.regions;
    const uint8_t *labels = grey + pixels;
    Region *region = calloc(regions + 1, sizeof *region);
    Moments *moments = calloc(regions + 1, sizeof *moments);
    status = region && moments ? frame_begin(out, &frame, 2, sizeof *region, &to) : IMAGE_ENOMEM;
    if (status == 0) {
        measure(&frame, grey, labels, region);
        add_moments(&frame, labels, region, moments);
        for (size_t i = 0; i < regions; i++)
            invariants(&moments[i], region[i].area, region[i].hu);
        memcpy(to, labels, 2 * pixels);
        memcpy(to + 2 * pixels, region, regions * sizeof *region);
    }
    free(region);
    free(moments);
    return status;
}
