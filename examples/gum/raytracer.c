/* A picture of spheres over a plane, by tracing rays: a spark for each line, of very different lengths.
 *
 *   gumcc raytracer.c -o raytracer -lm && gumrun -n 4 raytracer [size [FILE.pgm]]
 *
 * Tasks fetch the scene.  The check: lines that process 0 traces again by itself are the same, byte by byte. */
#include <gum.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"

enum { SPHERES = 40, BOUNCES = 4, MOST = 2000 };

typedef struct {
    double x, y, z;
} Vector;

typedef struct {
    Vector centre;
    double radius, shine;
} Sphere;

typedef struct {
    GumRef scene;
    int32_t line, size;
} Task;

static GumType line_type;

static Vector add(Vector a, Vector b, double times)
{
    return (Vector){a.x + times * b.x, a.y + times * b.y, a.z + times * b.z};
}

static double dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vector unit(Vector a)
{
    double length = sqrt(dot(a, a));
    return (Vector){a.x / length, a.y / length, a.z / length};
}

/* Distance to the first sphere along a ray of length 1; -1: none. */
static double hit(const Sphere *scene, Vector from, Vector to, int *which)
{
    double best = -1;
    for (int i = 0; i < SPHERES; i++) {
        Vector way = add(scene[i].centre, from, -1);
        double along = dot(way, to),
               under = scene[i].radius * scene[i].radius - dot(way, way) + along * along;
        if (under <= 0)
            continue;
        double distance = along - sqrt(under);
        if (distance > 1e-6 && (best < 0 || distance < best)) {
            best = distance;
            *which = i;
        }
    }
    return best;
}

static double trace(const Sphere *scene, Vector from, Vector to, int bounces)
{
    const Vector light = {0.48, 0.6, -0.64};
    int which = 0;
    double distance = hit(scene, from, to, &which);
    if (distance < 0 && to.y >= 0)
        return 0.6 + 0.4 * to.y; /* the sky */
    Vector at, normal = {0, 1, 0};
    double shine = 0.2, bright;
    if (distance < 0) {
        at = add(from, to, -from.y / to.y);
        bright = ((int)floor(at.x) + (int)floor(at.z)) % 2 ? 0.3 : 0.9;
    } else {
        at = add(from, to, distance);
        normal = unit(add(at, scene[which].centre, -1));
        shine = scene[which].shine;
        bright = 0.8;
    }
    double lit = dot(normal, light);
    bright *= lit > 0 && hit(scene, at, light, &which) < 0 ? 0.2 + 0.8 * lit : 0.2;
    if (bounces == 0)
        return bright;
    Vector mirrored = add(to, normal, -2 * dot(to, normal));
    return (1 - shine) * bright + shine * trace(scene, at, mirrored, bounces - 1);
}

static void trace_line(const Sphere *scene, int line, int size, unsigned char *out)
{
    const Vector eye = {0, 2, -8};
    for (int i = 0; i < size; i++) {
        Vector to = unit((Vector){2.0 * i / size - 1, 0.7 - 2.0 * line / size, 1.5});
        double bright = trace(scene, eye, to, BOUNCES);
        out[i] = (unsigned char)(255 * (bright < 1 ? bright : 1));
    }
}

static void run_line(const void *argument, void *result)
{
    const Task *task = argument;
    const Sphere *scene = gum_fetch(task->scene);
    GumBytes *out = result;
    *out = (GumBytes){malloc((size_t)task->size), (size_t)task->size};
    if (!out->bytes)
        gum_abort("out of memory");
    trace_line(scene, task->line, task->size, out->bytes);
}

static void make_scene(Sphere *scene)
{
    uint64_t chance = 3;
    double number[4];
    for (int i = 0; i < SPHERES; i++) {
        for (int k = 0; k < 4; k++) {
            chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            number[k] = (double)(chance >> 40) / (1 << 24);
        }
        scene[i] = (Sphere){{8 * number[0] - 4, 3 * number[1], 8 * number[2] - 2},
                            0.2 + 0.6 * number[3],
                            0.7 * number[1]};
    }
}

/* The argument is the size; the result the picture. */
static void run_all(const void *argument, void *result)
{
    int32_t size = *(const int32_t *)argument;
    Sphere scene[SPHERES];
    GumFuture *lines = malloc((size_t)size * sizeof *lines);
    unsigned char *picture = malloc((size_t)size * (size_t)size);
    if (!lines || !picture)
        gum_abort("out of memory");
    make_scene(scene);
    Task task = {.scene = gum_publish(scene, sizeof scene), .size = size};
    for (task.line = 0; task.line < size; task.line++)
        lines[task.line] = gum_par(line_type, &task);
    for (int32_t line = size; line-- > 0;) {
        const GumBytes *bytes = gum_force(lines[line]);
        memcpy(picture + (size_t)line * (size_t)size, bytes->bytes, bytes->size);
        gum_free(lines[line]);
    }
    free(lines);
    *(GumBytes *)result = (GumBytes){picture, (size_t)size * (size_t)size};
}

static int is_right(const unsigned char *picture, int size)
{
    enum { STEP = 7 };
    Sphere scene[SPHERES];
    unsigned char line[MOST];
    int right = 1;
    make_scene(scene);
    for (int i = 0; i < size && right; i += STEP) {
        trace_line(scene, i, size, line);
        right = memcmp(line, picture + (size_t)i * (size_t)size, (size_t)size) == 0;
    }
    return right;
}

static int write_picture(const char *path, const GumBytes *picture, int size)
{
    FILE *to = fopen(path, "wb");
    int good = to && fprintf(to, "P5\n%d %d\n255\n", size, size) > 0 &&
               fwrite(picture->bytes, 1, picture->size, to) == picture->size;
    if (to && fclose(to))
        good = 0;
    if (!good)
        fprintf(stderr, "raytracer: cannot write %s\n", path);
    return good ? 0 : 5;
}

int main(int argc, char **argv)
{
    const GumValue bytes = GUM_BYTES;
    const Number number = {"size", 1, MOST, 200};
    int64_t given;
    GumBytes picture = {0};
    int status = 0;
    gum_init(&argc, &argv);
    arguments(argc, argv, "raytracer [size [FILE.pgm]]", 2, &number, 1, &given);
    int32_t size = (int32_t)given;
    line_type = gum_type(&(GumTask){"line", run_line, {.size = sizeof(Task)}, bytes});
    gum_pure(line_type);
    GumType all = gum_type(&(GumTask){"picture", run_all, {.size = sizeof size}, bytes});
    if (gum_run(all, &size, &picture) == GUM_OK && gum_pid() == 0) {
        status = !is_right(picture.bytes, size);
        printf("%d lines: %s\n", (int)size, status == 0 ? "right" : "WRONG");
        if (argc > 2 && status == 0)
            status = write_picture(argv[2], &picture, size);
        gum_bytes_clear(&picture);
    }
    return gum_end() ? 1 : status;
}
