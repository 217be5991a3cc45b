/* Items: a head, and pixels. */
#include "image.h"

#include <string.h>

const char *image_words(int code)
{
    switch (code) {
    case IMAGE_ENOMEM:
        return "out of memory";
    case IMAGE_EFORMAT:
        return "not a PGM, PPM or R5 image, or cut off";
    case IMAGE_ESIZE:
        return "the image is too large";
    default:
        return "unknown error";
    }
}

uint8_t *buffer_extend(GridBuffer *out, size_t size)
{
    static const uint8_t zeros[1 << 14];
    size_t begin = out->size;
    for (size_t left = size; left > 0;) {
        size_t part = left < sizeof zeros ? left : sizeof zeros;
        if (grid_put(out, zeros, part))
            return NULL;
        left -= part;
    }
    return out->bytes + begin;
}

static size_t body_size(const Frame *frame, size_t per_pixel, size_t per_region)
{
    return frame_pixels(frame) * per_pixel + (size_t)frame->regions * per_region;
}

int frame_begin(GridBuffer *out, const Frame *frame, size_t per_pixel, size_t per_region,
                uint8_t **body)
{
    if (grid_put(out, frame, sizeof *frame))
        return IMAGE_ENOMEM;
    *body = buffer_extend(out, body_size(frame, per_pixel, per_region));
    return *body ? 0 : IMAGE_ENOMEM;
}

int frame_read(const GridBuffer *in, size_t per_pixel, size_t per_region, Frame *frame,
               const uint8_t **body)
{
    if (in->size < sizeof *frame)
        return IMAGE_EFORMAT;
    memcpy(frame, in->bytes, sizeof *frame);
    if (frame->width < 1 || frame->height < 1 || frame->width > MOST_SIDE ||
        frame->height > MOST_SIDE || frame->regions < 0 || frame->regions > MOST_REGIONS ||
        in->size - sizeof *frame != body_size(frame, per_pixel, per_region))
        return IMAGE_EFORMAT;
    *body = in->bytes + sizeof *frame;
    return 0;
}
