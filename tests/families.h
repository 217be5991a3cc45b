/* Models of the benchmarks' families (bench/families.awk), and of the collection (models). */
#ifndef PEPA_TESTS_FAMILIES_H
#define PEPA_TESTS_FAMILIES_H

#include <dirent.h>
#include <stdio.h>

#include "support.h"

/* family: "tandem 5". */
static inline Model *model_of_family(const char *family)
{
    static char text[1 << 18];
    char command[256];
    (void)snprintf(command, sizeof command, "awk -f bench/families.awk %s", family);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    text[fread(text, 1, sizeof text - 1, pipe)] = 0;
    cr_assert_eq(pclose(pipe), 0, "%s", command);
    return model_of(text);
}

/* The sum of what `look` says of every model of the collection. */
static inline int sum_over_collection(int (*look)(const char *name, const Model *model))
{
    static char text[1 << 20];
    DIR *folder = opendir("models");
    int sum = 0;
    cr_assert(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[512];
        if (!strstr(entry->d_name, ".pepa"))
            continue;
        (void)snprintf(path, sizeof path, "models/%s", entry->d_name);
        FILE *file = fopen(path, "r");
        cr_assert(file != NULL);
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        (void)fclose(file);
        Model *model = model_of(text);
        sum += look(path, model);
        model_free(model);
    }
    (void)closedir(folder);
    return sum;
}

#endif
