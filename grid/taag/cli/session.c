/* From files to a mapping, telling the user on the way. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grid/taag/files/program_xml.h"
#include "taag_cli.h"

/* The schema of --program in place of the description's. */
static int read_program(Session *s)
{
    DescriptionFile file = {.path = s->options->program_path, .quiet = s->options->quiet};
    PepaError err = {0};
    AmogetProgram *read = NULL;
    int status = description_open(&file);
    if (status == EXIT_SOLVED) {
        const AmogetReading how = description_reading(&file, NULL, 0, 0);
        PepaStatus found = program_xml_read(&read, description_name(&file), file.text, file.length,
                                            how.diagnose, how.user, &err);
        status = found == PEPA_OK ? EXIT_SOLVED : description_complain(&file, found, &err);
    }
    description_free(&file);
    if (status != EXIT_SOLVED)
        return status;
    amoget_program_free(s->program);
    s->program = read;
    return EXIT_SOLVED;
}

int session_read(Session *s, const Options *options)
{
    PepaError err = {0};
    *s = (Session){.options = options, .file = {.path = options->path, .quiet = options->quiet}};
    int status = description_open(&s->file);
    if (status != EXIT_SOLVED)
        return status;
    const AmogetReading how = description_reading(&s->file, options->defines, options->define_count,
                                                  (double)options->now);
    PepaStatus read = amoget_program_parse(&s->machine, &s->program, description_name(&s->file),
                                           s->file.text, s->file.length, &how, &err);
    description_close(&s->file);
    if (read != PEPA_OK)
        return description_complain(&s->file, read, &err);
    if (options->program_path)
        return read_program(s);
    if (!s->program)
        return fail(EXIT_MODEL,
                    "taag: %s: no program: `program { groups PROCESSES min LEAST; }` says how its "
                    "processes talk, or --program FILE.xml",
                    description_name(&s->file));
    return EXIT_SOLVED;
}

int session_map(Session *s)
{
    PepaError err = {0};
    double start = clock_seconds();
    const ScheduleSettings *set = &s->options->set;
    PepaStatus status =
        s->options->by_time
            ? predict_fastest(&s->schedule, &s->bound, s->machine, s->program, set, &err)
            : schedule_find(&s->schedule, s->machine, s->program, set, &err);
    s->seconds = clock_seconds() - start;
    return status == PEPA_OK ? EXIT_SOLVED : description_complain(&s->file, status, &err);
}

int session_time(Session *s)
{
    PepaError err = {0};
    char about[200];
    s->timed = s->program->work > 0;
    if (!s->timed && !s->options->model)
        return EXIT_SOLVED;
    (void)snprintf(about, sizeof about, "A round of the mapping of %.150s",
                   description_name(&s->file));
    PepaStatus status =
        predict_mapping(&s->time, &s->schedule, s->machine, s->program, s->options->set.coefficient,
                        about, s->options->model ? &s->model : NULL, &err);
    return status == PEPA_OK ? EXIT_SOLVED : description_complain(&s->file, status, &err);
}

int session_write_to(Session *s, FILE *to, const char *path)
{
    PepaError err = {0};
    PepaStatus status = mapping_write(s->schedule.mapping, to, &err);
    if (fclose(to) != 0 || status != PEPA_OK)
        return fail(EXIT_INPUT, "taag: cannot write all of %s", path);
    return EXIT_SOLVED;
}

int session_write(Session *s)
{
    const char *path = s->options->output;
    if (!path)
        return EXIT_SOLVED;
    FILE *to = fopen(path, "wb");
    if (!to)
        return fail(EXIT_INPUT, "taag: cannot write %s: %s", path, strerror(errno));
    return session_write_to(s, to, path);
}

void session_free(Session *s)
{
    schedule_free(&s->schedule);
    mem_free(s->model);
    amoget_machine_free(s->machine);
    amoget_program_free(s->program);
    description_free(&s->file);
}
