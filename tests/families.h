/* Models of the benchmarks' families (bench/families.awk), and of the collection (models). */
#ifndef PEPA_TESTS_FAMILIES_H
#define PEPA_TESTS_FAMILIES_H

#include <dirent.h>
#include <stdio.h>

#include "family_text.h"
#include "support.h"

/* family: "tandem 5". */
static inline Model *model_of_family(const char *family)
{
    return model_of(family_text(family));
}

/* Small ones of every family; what `look` says of each has to be more than `least`. */
static inline void expect_of_families(int (*look)(const char *name, const Model *model), int least)
{
    static const char *const families[] = {"pipeline 3", "pipeline 6", "clients 4", "clients 5",
                                           "tandem 5",   "kanban 1",   "kanban 2",  "polling 3",
                                           "polling 6",  "cluster 1",  "cluster 3", "webserver 1",
                                           "webserver 2"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        Model *model = model_of_family(families[i]);
        cr_expect_gt(look(families[i], model), least, "%s", families[i]);
        model_free(model);
    }
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
