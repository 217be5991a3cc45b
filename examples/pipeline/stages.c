/* The table of stages and their typical works. */
#include "image.h"

const GridStage image_stages[IMAGE_STAGES] = {
    {.name = "decode", .process = decode_image},
    {.name = "denoise", .process = denoise},
    {.name = "edges",
     .process = edges,
     .create = background_create,
     .destroy = background_destroy,
     .pack = background_pack,
     .unpack = background_unpack},
    {.name = "segment", .process = segment},
    {.name = "describe", .process = describe},
    {.name = "encode", .process = encode},
};

const StageCost image_costs[IMAGE_STAGES] = {
    {.nanoseconds = 4, .bytes = 1},   {.nanoseconds = 12, .bytes = 1},
    {.nanoseconds = 8, .bytes = 2},   {.nanoseconds = 4, .bytes = 3},
    {.nanoseconds = 8, .bytes = 2.1}, {.nanoseconds = 2, .bytes = 0.1},
};
