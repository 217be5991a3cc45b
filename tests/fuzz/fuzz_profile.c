/* Any bytes, as the profile or the activity of a run: nothing is refused without a word, and what is accepted has
 * numbers in their ranges, and is the same when it is written and read again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/gum/activity/read.h"
#include "grid/gum/predict/profile_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *user, const PepaDiagnostic *each)
{
    *(size_t *)user += strlen(each->message) + strlen(each->excerpt);
}

static void need(int condition)
{
    if (!condition)
        abort();
}

static void check(const Profile *p)
{
    need(p->levels >= 1 && p->levels <= PROFILE_MOST_LEVELS && p->level[0].tasks == 1);
    need(p->processes >= 1 && p->makespan > 0 && p->critical >= 0 && p->message >= 0);
    need(isfinite(profile_work(p)) && profile_work(p) > 0 && profile_tasks(p) >= 0);
    for (int32_t i = 0; i < p->processes; i++)
        need(p->process[i].time > 0 && p->process[i].made >= 0 && p->process[i].host[0]);
}

static char *text_of(const Profile *p, size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);
    need(to && profile_write(p, to) == 0);
    need(fclose(to) == 0);
    return text;
}

static char *text_of_activity(const Activity *a, size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);
    need(to && activity_write(a, to) == 0);
    need(fclose(to) == 0);
    return text;
}

static void try_activity(const char *text, size_t size)
{
    Activity *activity = NULL, *again = NULL;
    PepaError err = {0};
    size_t said = 0, length, length_again;
    if (activity_read(&activity, "fuzz", text, size, count, &said, &err) != PEPA_OK) {
        need(err.message[0] && said > 0);
        return;
    }
    need(activity->processes >= 1 && activity->makespan > 0 && activity->width > 0);
    need(activity->intervals >= 1 && activity->intervals <= ACTIVITY_CELLS);
    /* Nine digits are kept: what is written the first time is rounded. */
    char *first = text_of_activity(activity, &length);
    if (activity_read(&again, "again", first, length, NULL, NULL, &err) == PEPA_OK) {
        char *second = text_of_activity(again, &length_again);
        need(length == length_again && memcmp(first, second, length) == 0);
        free(second);
    }
    free(first);
    activity_free(activity);
    activity_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Profile *profile = NULL, *again = NULL;
    PepaError err = {0};
    size_t said = 0, length, length_again;
    char *text = malloc(size + 1);
    need(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    try_activity(text, size);
    PepaStatus status = profile_read(&profile, "fuzz", text, size, count, &said, &err);
    if (status == PEPA_OK) {
        check(profile);
        char *first = text_of(profile, &length);
        need(profile_read(&again, "again", first, length, NULL, NULL, &err) == PEPA_OK);
        char *second = text_of(again, &length_again);
        need(length == length_again && memcmp(first, second, length) == 0);
        free(first);
        free(second);
    } else {
        need(err.message[0] && said > 0);
    }
    profile_free(profile);
    profile_free(again);
    free(text);
    return 0;
}
