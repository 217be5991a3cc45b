/* The stage `decode`: PGM, PPM, and R5, a PGM with run-length coded pixels: pairs of bytes, a count
 * (1 .. 255) and a grey value. */
#include <stdbool.h>

#include "image.h"

typedef struct {
    const uint8_t *at, *end;
    bool bad;
} Reader;

static bool blank(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* A number after blanks and comments; anything but a number of at most `most` is an error. */
static int32_t read_number(Reader *r, int32_t most)
{
    int64_t value = 0;
    for (; r->at < r->end && (blank(*r->at) || *r->at == '#'); r->at++)
        if (*r->at == '#')
            while (r->at + 1 < r->end && *r->at != '\n')
                r->at++;
    const uint8_t *begin = r->at;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && value <= most; r->at++)
        value = 10 * value + (*r->at - '0');
    if (r->at == begin || value > most)
        r->bad = true;
    return r->bad ? 0 : (int32_t)value;
}

/* Binary samples: one byte, or two with the high one first if the maximum needs that. */
static int32_t read_sample(Reader *r, int32_t most)
{
    int32_t value = 0;
    for (int i = 0; i < (most > 255 ? 2 : 1); i++) {
        if (r->at == r->end) {
            r->bad = true;
            return 0;
        }
        value = value << 8 | *r->at++;
    }
    return value > most ? most : value;
}

static void read_pixels(Reader *r, char kind, int32_t most, uint8_t *to, size_t count)
{
    bool text = kind < '4', colours = kind == '3' || kind == '6';
    for (size_t i = 0; i < count && !r->bad; i++) {
        int32_t value[3] = {0};
        for (int c = 0; c < (colours ? 3 : 1); c++)
            value[c] = text ? read_number(r, most) : read_sample(r, most);
        /* the luma of Rec. 601 in 256ths */
        int32_t grey = colours ? (77 * value[0] + 150 * value[1] + 29 * value[2]) >> 8 : value[0];
        to[i] = (uint8_t)((grey * 255 + most / 2) / most);
    }
}

static void read_runs(Reader *r, uint8_t *to, size_t count)
{
    for (size_t i = 0; i < count && !r->bad;) {
        if (r->end - r->at < 2 || *r->at == 0 || *r->at > count - i) {
            r->bad = true;
            return;
        }
        for (uint8_t left = *r->at; left > 0; left--)
            to[i++] = r->at[1];
        r->at += 2;
    }
}

int decode_image(void *state, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    uint8_t *grey;
    (void)state, (void)item;
    if (in->size < 3)
        return IMAGE_EFORMAT;
    Reader r = {in->bytes, in->bytes + in->size, false};
    bool runs = r.at[0] == 'R' && r.at[1] == '5';
    char kind = (char)r.at[1];
    if (!runs && (r.at[0] != 'P' || (kind != '2' && kind != '3' && kind != '5' && kind != '6')))
        return IMAGE_EFORMAT;
    r.at += 2;
    Frame frame = {.width = read_number(&r, INT32_MAX), .height = 0};
    frame.height = read_number(&r, INT32_MAX);
    int32_t most = read_number(&r, 65535);
    if (r.bad || frame.width < 1 || frame.height < 1 || most < 1 || (runs && most != 255))
        return IMAGE_EFORMAT;
    if (frame.width > MOST_SIDE || frame.height > MOST_SIDE || frame_pixels(&frame) > MOST_PIXELS)
        return IMAGE_ESIZE;
    bool text = kind < '4';
    if (!text && (r.at == r.end || !blank(*r.at++))) /* one blank, then pixels begin */
        return IMAGE_EFORMAT;
    if (frame_begin(out, &frame, 1, 0, &grey))
        return IMAGE_ENOMEM;
    if (runs)
        read_runs(&r, grey, frame_pixels(&frame));
    else
        read_pixels(&r, kind, most, grey, frame_pixels(&frame));
    return r.bad ? IMAGE_EFORMAT : 0;
}
