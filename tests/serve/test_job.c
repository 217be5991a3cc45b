#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/job.h"

/* Jobs of a folder whose program "pepa" is this script. */
typedef struct {
    char folder[64], path[80];
    JobLimits limits;
} Stage;

static Stage stage_of(const char *script)
{
    Stage s = {.folder = "/tmp/pepa-job-XXXXXX"};
    cr_assert_not_null(mkdtemp(s.folder));
    (void)snprintf(s.path, sizeof s.path, "%s/pepa", s.folder);
    FILE *file = fopen(s.path, "w");
    cr_assert_not_null(file);
    cr_assert_geq(fprintf(file, "#!/bin/sh\n%s\n", script), 0);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(chmod(s.path, 0700), 0);
    s.limits = (JobLimits){.jobs = 1, .output = 1 << 20};
    return s;
}

static void clear(Stage *s)
{
    (void)unlink(s->path);
    (void)rmdir(s->folder);
}

static Job start(Stage *s, const char *json)
{
    Job job;
    Request request;
    const char *why = NULL;
    s->limits.folder = s->folder;
    cr_assert(request_read(&request, json, strlen(json), &why), "%s", why);
    cr_assert(job_start(&job, &request, &s->limits, &why), "%s", why);
    request_free(&request);
    return job;
}

static void finish(Job *job)
{
    while (!job_over(job)) {
        struct pollfd fd[] = {{.fd = job->out, .events = POLLIN},
                              {.fd = job->err, .events = POLLIN}};
        (void)poll(fd, 2, 20);
        if (job->out >= 0)
            (void)job_read(job, &job->out);
        if (job->err >= 0)
            (void)job_read(job, &job->err);
        job_reap(job);
    }
}

static const char solve[] =
    "{\"command\":\"solve\",\"text\":\"the model\",\"options\":[[\"json\"]]}";

Test(job, the_model_is_its_input_and_the_output_is_kept)
{
    Stage s = stage_of("printf '%s ' \"$@\"; cat; exit 3");
    char said[100] = "";
    Job job = start(&s, solve);
    finish(&job);
    cr_assert_gt(spool_read(&job.spool, 0, said, sizeof said - 1), 0);
    cr_assert_str_eq(said, "solve - --no-files --json --progress the model");
    cr_assert(WIFEXITED(job.how));
    cr_assert_eq(WEXITSTATUS(job.how), 3);
    cr_assert_geq(job.seconds, 0);
    cr_assert_gt(job.peak, 0);
    job_free(&job);
    clear(&s);
}

Test(job, a_walk_has_commands_as_input_and_the_model_beside)
{
    Stage s = stage_of("cat; cat <&3");
    char said[100] = "";
    Job job = start(&s, "{\"command\":\"walk\",\"text\":\"the model\",\"lines\":[\"1\",\"b\"]}");
    finish(&job);
    cr_assert_gt(spool_read(&job.spool, 0, said, sizeof said - 1), 0);
    cr_assert_str_eq(said, "1\nb\nthe model");
    job_free(&job);
    clear(&s);
}

Test(job, progress_is_what_overwrites_itself)
{
    Stage s = stage_of("printf 'a warning\\nworking: 1\\r        \\rworking: 2' >&2");
    Job job = start(&s, solve);
    finish(&job);
    cr_assert_str_eq(job_progress(&job), "working: 2");
    cr_assert_str_eq(job.said.text, "a warning\nworking: 2");
    job_free(&job);
    clear(&s);
}

Test(job, nothing_of_the_server_is_open_in_it)
{
    Stage s = stage_of("ls /proc/self/fd | wc -l");
    char said[100] = "";
    Job job = start(&s, solve);
    finish(&job);
    cr_assert_gt(spool_read(&job.spool, 0, said, sizeof said - 1), 0);
    cr_assert_eq(atoi(said), 4, "%s", said); /* three, and the folder itself */
    job_free(&job);
    clear(&s);
}

Test(job, what_it_has_started_ends_with_it)
{
    Stage s = stage_of("sleep 1000 & echo $!; exit 0");
    char said[100] = "";
    Job job = start(&s, solve);
    finish(&job); /* would wait for the sleeper, which has the pipes */
    cr_assert_gt(spool_read(&job.spool, 0, said, sizeof said - 1), 0);
    cr_assert(WIFEXITED(job.how));
    job_free(&job);
    clear(&s);
}

Test(job, killing_ends_it_and_says_why)
{
    Stage s = stage_of("sleep 1000");
    Job job = start(&s, solve);
    job_kill(&job, "time");
    job_kill(&job, "cancelled");
    finish(&job);
    cr_assert_str_eq(job.limit, "time");
    cr_assert(WIFSIGNALED(job.how));
    job_kill(&job, "cancelled"); /* has no effect any more */
    job_free(&job);
    clear(&s);
}

/* Whether a process has ended; whoever inherits it may not have looked. */
static bool ended(pid_t process)
{
    char path[40], state = 'Z';
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *from = fopen(path, "r");
    if (!from)
        return true;
    if (fscanf(from, "%*d (%*[^)]) %c", &state) != 1)
        state = 'Z';
    (void)fclose(from);
    return state == 'Z';
}

Test(job, a_silent_one_dies_with_the_server)
{
    Stage s = stage_of("exec sleep 1000");
    int ends[2], how;
    cr_assert_eq(pipe(ends), 0);
    const pid_t server = fork();
    if (server == 0) {
        Job job = start(&s, solve);
        (void)!write(ends[1], &job.process, sizeof job.process);
        (void)pause();
        _exit(0);
    }
    pid_t process = 0;
    cr_assert_eq(read(ends[0], &process, sizeof process), (ssize_t)sizeof process);
    cr_assert_not(ended(process));
    (void)kill(server, SIGKILL);
    cr_assert_eq(waitpid(server, &how, 0), server);
    for (int i = 0; i < 6000 && !ended(process); i++) /* a minute: it is sent a signal at once */
        (void)poll(NULL, 0, 10);
    const bool died = ended(process);
    (void)kill(process, SIGKILL);
    clear(&s);
    cr_assert(died);
}

Test(job, more_output_than_it_may_have_ends_it)
{
    Stage s = stage_of("yes");
    Job job = start(&s, solve);
    finish(&job);
    cr_assert_str_eq(job.limit, "output");
    cr_assert_leq(job.spool.length, s.limits.output);
    job_free(&job);
    clear(&s);
}

/* What cannot be stored is not there: the limit says so, however the job has ended. */
static void stores_nothing(const char *script, bool ends_first)
{
    Stage s = stage_of(script);
    Job job = start(&s, solve);
    const int full = open("/dev/full", O_RDWR);
    cr_assert_geq(dup2(full, job.spool.fd), 0);
    while (ends_first && job.process != 0) {
        (void)poll(NULL, 0, 10);
        job_reap(&job);
    }
    finish(&job);
    cr_assert_str_eq(job.limit, "storage");
    cr_assert_eq(job.spool.length, 0);
    (void)close(full);
    job_free(&job);
    clear(&s);
}

Test(job, output_that_cannot_be_stored_ends_it)
{
    stores_nothing("echo something; sleep 1000", false);
}

Test(job, output_that_is_read_after_its_end_and_cannot_be_stored)
{
    stores_nothing("echo something", true);
}

Test(job, a_program_that_is_not_there_is_an_error_of_the_job)
{
    Stage s = stage_of("");
    clear(&s);
    Job job = start(&s, solve);
    finish(&job);
    cr_assert(WIFEXITED(job.how));
    cr_assert_eq(WEXITSTATUS(job.how), 127);
    cr_assert_not_null(strstr(job.said.text, "cannot be run"));
    job_free(&job);
}
