/* The command line. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "images.h"

static const char help_text[] =
    "Usage: mpirun -n PROCESSES grid-images [OPTION]... [FILE]...\n"
    "Find regions in images, by a pipeline whose stages are where they are done fastest, and move\n"
    "when that changes.  FILEs are PGM, PPM, or what --output wrote; without any, images are "
    "made.\n"
    "\n"
    "  --images N           images; with files: go round them  [100, or one for each file]\n"
    "  --size W             width and height of images that are made  [256]\n"
    "  --seed N             for images, injected times and random moves  [1]\n"
    "  --output DIR         keep each result there as PGM and, run-length coded, as R5\n"
    "  --quiet              no line for each image\n"
    "  --sequential         one stage after the other, on process 0 alone\n"
    "\n"
    "Where stages run:\n"
    "  --description FILE   processors (those of the processes, in order), stages and network, as\n"
    "                       for amoget  [equal processors, or --platform]\n"
    "  --mapping P,P,...    where the stages start  [amoget's best]\n"
    "  --period S           seconds between decisions  [1]\n"
    "  --fixed              stages stay where they are\n"
    "  --random-moves       stages move at every decision, to anywhere\n"
    "  --buffered           a place on each link  [as the description says]\n"
    "\n"
    "Times that are injected, in place of what things take:\n"
    "  --platform FILE      a description of the machines that are played\n"
    "  --changes FILE       what changes in it: lines \"seconds path value\"\n"
    "  --static-sharing     stages on a processor share it all the time  [one at a time]\n"
    "\n"
    "What happened; FILE - is the standard output:\n"
    "  --log FILE           decisions and moves\n"
    "  --json-log           the same as JSON, a line for each\n"
    "  --measurements FILE  what was measured, for amoget\n"
    "  --throughput FILE    images per second over time, for gnuplot\n"
    "\n"
    "Exit status: 0 done; 1 a description is wrong; 2 usage; 3 the run failed; 4 a limit was hit;\n"
    "5 input or output failed.\n";

enum {
    OPT_HELP = 256,
    OPT_IMAGES,
    OPT_SIZE,
    OPT_SEED,
    OPT_OUTPUT,
    OPT_QUIET,
    OPT_SEQUENTIAL,
    OPT_DESCRIPTION,
    OPT_MAPPING,
    OPT_PERIOD,
    OPT_FIXED,
    OPT_RANDOM,
    OPT_BUFFERED,
    OPT_PLATFORM,
    OPT_CHANGES,
    OPT_STATIC,
    OPT_LOG,
    OPT_JSON,
    OPT_MEASUREMENTS,
    OPT_THROUGHPUT
};

static const struct option table[] = {
    {"help", no_argument, NULL, OPT_HELP},
    {"images", required_argument, NULL, OPT_IMAGES},
    {"size", required_argument, NULL, OPT_SIZE},
    {"seed", required_argument, NULL, OPT_SEED},
    {"output", required_argument, NULL, OPT_OUTPUT},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"sequential", no_argument, NULL, OPT_SEQUENTIAL},
    {"description", required_argument, NULL, OPT_DESCRIPTION},
    {"mapping", required_argument, NULL, OPT_MAPPING},
    {"period", required_argument, NULL, OPT_PERIOD},
    {"fixed", no_argument, NULL, OPT_FIXED},
    {"random-moves", no_argument, NULL, OPT_RANDOM},
    {"buffered", no_argument, NULL, OPT_BUFFERED},
    {"platform", required_argument, NULL, OPT_PLATFORM},
    {"changes", required_argument, NULL, OPT_CHANGES},
    {"static-sharing", no_argument, NULL, OPT_STATIC},
    {"log", required_argument, NULL, OPT_LOG},
    {"json-log", no_argument, NULL, OPT_JSON},
    {"measurements", required_argument, NULL, OPT_MEASUREMENTS},
    {"throughput", required_argument, NULL, OPT_THROUGHPUT},
    {0},
};

void complain(const char *format, ...)
{
    char text[1024]; /* one write, so that the lines of several processes do not mix */
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "grid-images: %s\n", text);
}

/* ---- values ------------------------------------------------------------------------------- */

static bool whole(const char *text, int64_t least, int64_t most, int64_t *out)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most)
        return false;
    *out = value;
    return true;
}

static bool positive(const char *text, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value <= 0)
        return false;
    *out = value;
    return true;
}

static bool apply_number(Options *o, int code, const char *value)
{
    /* a gathered result has some 150 bytes; a side whose square fits an int32_t twice */
    const int64_t most_images = 10000000, most_side = 8192;
    int64_t number = 0;
    bool good = false;
    if (code == OPT_IMAGES) {
        good = whole(value, 1, most_images, &o->images);
    } else if (code == OPT_SIZE) {
        good = whole(value, 8, most_side, &number);
        o->size = (int32_t)number;
    } else if (code == OPT_SEED) {
        good = whole(value, 0, INT64_MAX, &number);
        o->seed = (uint64_t)number;
    } else {
        good = positive(value, &o->period);
    }
    return good;
}

static const char **text_option(Options *o, int code)
{
    switch (code) {
    case OPT_OUTPUT:
        return &o->directory;
    case OPT_DESCRIPTION:
        return &o->description;
    case OPT_MAPPING:
        return &o->mapping;
    case OPT_PLATFORM:
        return &o->platform;
    case OPT_CHANGES:
        return &o->changes;
    case OPT_LOG:
        return &o->log;
    case OPT_MEASUREMENTS:
        return &o->measurements;
    default:
        return &o->throughput;
    }
}

static bool *flag_option(Options *o, int code)
{
    switch (code) {
    case OPT_QUIET:
        return &o->quiet;
    case OPT_SEQUENTIAL:
        return &o->sequential;
    case OPT_FIXED:
        return &o->fixed;
    case OPT_RANDOM:
        return &o->random_moves;
    case OPT_BUFFERED:
        return &o->buffered;
    case OPT_STATIC:
        return &o->static_sharing;
    case OPT_JSON:
        return &o->json_log;
    default:
        return NULL;
    }
}

/* ---- the whole ---------------------------------------------------------------------------- */

static int usage(bool speak, const char *what, const char *value)
{
    if (speak)
        complain("%s%s%s%s; try 'grid-images --help'", what, value ? " '" : "", value ? value : "",
                 value ? "'" : "");
    return EXIT_USAGE;
}

static int bad_value(bool speak, int code, const char *value)
{
    const char *what = code == OPT_IMAGES ? "--images takes a whole number from 1, not"
                       : code == OPT_SIZE ? "--size takes a whole number from 8 to 8192, not"
                       : code == OPT_SEED ? "--seed takes a whole number, not"
                                          : "--period takes seconds, not";
    return usage(speak, what, value);
}

static int check_together(const Options *o, bool speak)
{
    if (o->changes && !o->platform)
        return usage(speak, "--changes are those of a --platform", NULL);
    if (o->static_sharing && !o->platform)
        return usage(speak, "--static-sharing is to be had with a --platform only", NULL);
    if (o->json_log && !o->log)
        return usage(speak, "--json-log needs a --log", NULL);
    if (o->fixed && o->random_moves)
        return usage(speak, "--fixed and --random-moves contradict each other", NULL);
    if (o->log && (o->fixed || o->random_moves))
        return usage(speak, "without decisions there is no --log", NULL);
    return GO_ON;
}

int options_read(Options *options, int argc, char **argv, bool speak)
{
    Options o = {.size = 256, .seed = 1, .period = 1};
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, ":", table, NULL)) != -1;) {
        bool *flag = flag_option(&o, code);
        if (code == OPT_HELP) {
            if (speak)
                (void)fputs(help_text, stdout);
            return EXIT_DONE;
        }
        if (code == ':')
            return usage(speak, "a value is missing for", argv[optind - 1]);
        if (code == '?')
            return usage(speak,
                         "unknown option, or one with a value that takes none:", argv[optind - 1]);
        if (flag)
            *flag = true;
        else if ((code >= OPT_IMAGES && code <= OPT_SEED) || code == OPT_PERIOD) {
            if (!apply_number(&o, code, optarg))
                return bad_value(speak, code, optarg);
        } else {
            *text_option(&o, code) = optarg;
        }
    }
    o.files = argv + optind;
    o.file_count = argc - optind;
    if (o.images == 0)
        o.images = o.file_count > 0 ? o.file_count : 100;
    *options = o;
    return check_together(&o, speak);
}
