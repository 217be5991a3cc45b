/* The stages of an image pipeline, and the items between them.
 *
 *   source    a file: PGM or PPM, as text or binary, or run-length coded as `encode` makes it
 *   decode    to a picture: 8-bit grey
 *   denoise   median of 5 x 5
 *   edges     where the image differs from the background, a running mean of the images so far: the
 *             stage's state
 *   segment   regions between edges
 *   describe  their areas, places and shapes
 *   encode    regions as a file, with their descriptions as comments
 *   sink      a line per file
 *
 * The functions are those of a GridStage (grid/pipeline.h); besides that header nothing of the grid
 * is used.  Arithmetic uses integers, or + - * / of doubles in a fixed order: results are the same
 * on all machines with IEEE 754. */
#ifndef PIPELINE_IMAGE_H
#define PIPELINE_IMAGE_H

#include <stdint.h>

#include "grid/pipeline.h"

/* Answers of stages besides 0. */
enum {
    IMAGE_ENOMEM = 1,
    IMAGE_EFORMAT, /* not an image of a known format, or cut off */
    IMAGE_ESIZE    /* more than MOST_SIDE wide or high, or more than MOST_PIXELS */
};
const char *image_words(int code); /* "out of memory" */

enum { MOST_SIDE = 1 << 15, MOST_PIXELS = 1 << 26, MOST_REGIONS = 65535 };

/* The head of an item between two stages.  After it, row by row from the top:
 *   decode, denoise  grey
 *   edges            grey (difference from the background), then edges: 0 or 255
 *   segment          grey, then labels, uint16_t: 0 none, regions 1 ..
 *   describe         labels, then a Region for each */
typedef struct {
    int32_t width, height, regions;
} Frame;

typedef struct {
    double area;  /* pixels */
    double x, y;  /* centre, pixels from the top left one */
    double mean;  /* grey */
    double hu[7]; /* Hu, IRE Transactions on Information Theory 8, 1962, eq. 59 */
    int32_t left, top, right, bottom;
} Region;

/* Begin or read an item, whose data has `per_pixel` bytes for each pixel and `per_region` for each
 * region.  frame_begin makes the data, all zero.  IMAGE_ENOMEM; IMAGE_EFORMAT: wrong size. */
int frame_begin(GridBuffer *out, const Frame *frame, size_t per_pixel, size_t per_region,
                uint8_t **body);
int frame_read(const GridBuffer *in, size_t per_pixel, size_t per_region, Frame *frame,
               const uint8_t **body);
static inline size_t frame_pixels(const Frame *frame)
{
    return (size_t)frame->width * (size_t)frame->height;
}
/* Append zero bytes; NULL: out of memory. */
uint8_t *buffer_extend(GridBuffer *out, size_t size);

/* ---- source ------------------------------------------------------------------------------- */

/* A made-up image as a text PGM: a gradient with noise, and shapes that move from item to item.
 * IMAGE_ENOMEM. */
int image_make(uint64_t seed, int32_t size, int64_t item, GridBuffer *out);

/* ---- stages ------------------------------------------------------------------------------- */

enum { IMAGE_STAGES = 6 };
extern const GridStage image_stages[IMAGE_STAGES];

int decode_image(void *state, int64_t item, const GridBuffer *in, GridBuffer *out);
int denoise(void *state, int64_t item, const GridBuffer *in, GridBuffer *out);
int edges(void *state, int64_t item, const GridBuffer *in, GridBuffer *out);
int segment(void *state, int64_t item, const GridBuffer *in, GridBuffer *out);
int describe(void *state, int64_t item, const GridBuffer *in, GridBuffer *out);
int encode(void *state, int64_t item, const GridBuffer *in, GridBuffer *out);

/* The background: the running mean. */
void *background_create(void *user);
void background_destroy(void *state);
int background_pack(const void *state, GridBuffer *out);
int background_unpack(void *state, const GridBuffer *in);

/* Work of a stage, in nanoseconds per pixel, and bytes that it sends on per pixel: roughly, as
 * measured on one machine. */
typedef struct {
    double nanoseconds, bytes;
} StageCost;
extern const StageCost image_costs[IMAGE_STAGES];

#endif
