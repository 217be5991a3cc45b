/* Profiles from text: lines of names with values, by a table of which names each kind of line has. */
#include "grid/gum/predict/profile_read.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/intern.h"
#include "grid/predict/words.h"

enum { MOST_FIELDS = 12 };
#define MOST_COUNT 9007199254740992.0 /* 2^53: every whole number up to it is a double */

typedef enum { NAME, NUMBER, ABOVE_ZERO, COUNT, OPTIONAL_COUNT } Kind;

/* A name of a line, what its value is, and where in the line's structure it goes. */
typedef struct {
    const char *name;
    Kind kind;
    size_t at;
} Field;

typedef struct {
    Words line;
    Profile *profile;
    size_t process_cap;
    unsigned seen; /* kinds of lines: bits */
    int64_t expected;
    bool no_memory;
} Reading;

#define bad(r, ...) words_bad(&(r)->line, __VA_ARGS__)

static size_t length_of(Span span)
{
    return span.end - span.begin;
}

static Span whole_line(const Reading *r)
{
    return words_line(&r->line);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool read_count(Reading *r, int word, int64_t *out)
{
    return words_whole(&r->line, word, MOST_COUNT, "not a whole number from 0", out);
}

/* ---- names with values ------------------------------------------------------------------------ */

static bool read_value(Reading *r, int word, const Field *field, char *into)
{
    double number;
    int64_t count;
    switch (field->kind) {
    case NAME:
        return words_name(&r->line, word, into + field->at, PROFILE_NAME);
    case COUNT:
    case OPTIONAL_COUNT:
        if (!read_count(r, word, &count))
            return false;
        memcpy(into + field->at, &count, sizeof count);
        return true;
    default:
        if (!words_number(&r->line, word, &number))
            return false;
        if (field->kind == ABOVE_ZERO && !(number > 0))
            return bad(r, r->line.word[word], "'%s' has to be above 0", field->name);
        memcpy(into + field->at, &number, sizeof number);
        return true;
    }
}

static bool unknown_name(Reading *r, int word, const Field *fields, int count)
{
    const char *names[MOST_FIELDS];
    char text[PROFILE_NAME] = "";
    for (int i = 0; i < count; i++)
        names[i] = fields[i].name;
    if (length_of(r->line.word[word]) < sizeof text)
        memcpy(text, r->line.source->text + r->line.word[word].begin,
               length_of(r->line.word[word]));
    const char *near = suggest(text, names, (size_t)count);
    return near ? bad(r, r->line.word[word], "this line has no such name; did you mean '%s'?", near)
                : bad(r, r->line.word[word], "this line has no such name");
}

/* Words from `word` on: each name of `fields` once, with its value; what is optional may be missing, and
 * leaves its place as it is. */
static bool read_fields(Reading *r, int word, const Field *fields, int count, void *into)
{
    unsigned seen = 0;
    for (; word < r->line.count; word += 2) {
        int f = 0;
        while (f < count && !words_say(&r->line, word, fields[f].name))
            f++;
        if (f == count)
            return unknown_name(r, word, fields, count);
        if (seen & 1u << f)
            return bad(r, r->line.word[word], "'%s' was given before", fields[f].name);
        if (word + 1 == r->line.count)
            return bad(r, r->line.word[word], "the value of '%s' is missing", fields[f].name);
        if (!read_value(r, word + 1, &fields[f], into))
            return false;
        seen |= 1u << f;
    }
    for (int f = 0; f < count; f++)
        if (!(seen & 1u << f) && fields[f].kind != OPTIONAL_COUNT)
            return bad(r, whole_line(r), "'%s' and its value are missing", fields[f].name);
    return true;
}

#define FIELDS(rows) rows, (int)(sizeof(rows) / sizeof *(rows))

/* ---- lines ----------------------------------------------------------------------------------- */

static bool read_version(Reading *r)
{
    int64_t version;
    if (r->line.count != 2)
        return bad(r, whole_line(r), "the first line of a profile is `gum-profile 1`");
    if (!read_count(r, 1, &version))
        return false;
    return version == 1 || bad(r, r->line.word[1], "this program reads version 1 of profiles");
}

static bool read_program(Reading *r)
{
    if (r->line.count != 2)
        return bad(r, whole_line(r), "the line is `program` and its name");
    return words_name(&r->line, 1, r->profile->program, PROFILE_NAME);
}

static bool read_run(Reading *r)
{
    typedef struct {
        char policy[PROFILE_NAME];
        int64_t processes;
        double makespan, critical;
    } Run;
    static const Field fields[] = {{"policy", NAME, offsetof(Run, policy)},
                                   {"processes", COUNT, offsetof(Run, processes)},
                                   {"makespan", ABOVE_ZERO, offsetof(Run, makespan)},
                                   {"critical", NUMBER, offsetof(Run, critical)}};
    Run run;
    if (!read_fields(r, 1, FIELDS(fields), &run))
        return false;
    if (run.processes < 1 || run.processes > PROFILE_MOST_PROCESSES)
        return bad(r, whole_line(r), "a run has 1 to %d processes", PROFILE_MOST_PROCESSES);
    r->expected = run.processes;
    memcpy(r->profile->policy, run.policy, sizeof run.policy);
    r->profile->makespan = run.makespan;
    r->profile->critical = run.critical;
    return true;
}

static bool read_bytes(Reading *r)
{
    static const Field fields[] = {{"task", NUMBER, offsetof(Profile, task_bytes)},
                                   {"result", NUMBER, offsetof(Profile, result_bytes)},
                                   {"fetched", NUMBER, offsetof(Profile, fetched_bytes)}};
    return read_fields(r, 1, FIELDS(fields), r->profile);
}

static bool read_cost(Reading *r)
{
    static const Field fields[] = {{"message", NUMBER, offsetof(Profile, message)},
                                   {"slice", NUMBER, offsetof(Profile, slice)}};
    return read_fields(r, 1, FIELDS(fields), r->profile);
}

/* The number of a level or process: one more than the one before. */
static bool read_next(Reading *r, int64_t next, int64_t most, const char *what)
{
    int64_t number;
    if (r->line.count < 2)
        return bad(r, r->line.word[0], "here the number of the %s is needed", what);
    if (!read_count(r, 1, &number))
        return false;
    if (number != next)
        return bad(r, r->line.word[1],
                   "a %s is numbered from 0, each one more than the one before: %lld", what,
                   (long long)next);
    return next < most || bad(r, r->line.word[1], "there are at most %lld", (long long)most);
}

/* Sums of as many works as there can be are as exact. */
#define ROUNDING 1e-6

/* n numbers from 0 to `longest` deviate by longest / 2 from their mean at most (Popoviciu), as a sample by
 * sqrt(n / (n - 1)) as much. */
static bool can_deviate(const ProfileLevel *level)
{
    const double n = fmax(2, (double)level->tasks);
    return level->deviation <= level->longest / 2 * sqrt(n / (n - 1)) * (1 + ROUNDING);
}

static bool read_level(Reading *r)
{
    static const Field fields[] = {{"tasks", COUNT, offsetof(ProfileLevel, tasks)},
                                   {"work", NUMBER, offsetof(ProfileLevel, work)},
                                   {"deviation", NUMBER, offsetof(ProfileLevel, deviation)},
                                   {"longest", NUMBER, offsetof(ProfileLevel, longest)},
                                   {"pure", OPTIONAL_COUNT, offsetof(ProfileLevel, pure)}};
    Profile *p = r->profile;
    ProfileLevel level = {0};
    if (!(read_next(r, p->levels, PROFILE_MOST_LEVELS, "level") &&
          read_fields(r, 2, FIELDS(fields), &level)))
        return false;
    if (p->levels == 0 && level.tasks != 1)
        return bad(r, whole_line(r), "level 0 is the main program: 1 task");
    if (level.tasks > 0 && p->levels > 0 && p->level[p->levels - 1].tasks == 0)
        return bad(r, whole_line(r), "a level without tasks cannot have any below it");
    if (level.tasks == 0 && level.work + level.deviation + level.longest > 0)
        return bad(r, whole_line(r), "work without a task");
    if (level.pure > level.tasks)
        return bad(r, whole_line(r), "'pure' is more than 'tasks'");
    if (level.longest > level.work * (1 + 1e-9))
        return bad(r, whole_line(r), "'longest' is more than 'work', the sum of all");
    if (level.work > (double)level.tasks * level.longest * (1 + ROUNDING))
        return bad(r, whole_line(r), "'longest' is less than the mean work of a task");
    if (!can_deviate(&level))
        return bad(r, whole_line(r), "'deviation' is more than works from 0 to 'longest' can have");
    p->level[p->levels++] = level;
    return true;
}

static bool read_process(Reading *r)
{
    static const Field fields[] = {{"host", NAME, offsetof(ProfileProcess, host)},
                                   {"cluster", NAME, offsetof(ProfileProcess, cluster)},
                                   {"time", ABOVE_ZERO, offsetof(ProfileProcess, time)},
                                   {"running", NUMBER, offsetof(ProfileProcess, running)},
                                   {"fetching", NUMBER, offsetof(ProfileProcess, fetching)},
                                   {"idle", NUMBER, offsetof(ProfileProcess, idle)},
                                   {"made", COUNT, offsetof(ProfileProcess, made)},
                                   {"taken", COUNT, offsetof(ProfileProcess, taken)},
                                   {"pruned", COUNT, offsetof(ProfileProcess, pruned)},
                                   {"messages", COUNT, offsetof(ProfileProcess, messages)}};
    Profile *p = r->profile;
    ProfileProcess process;
    if (!(read_next(r, p->processes, PROFILE_MOST_PROCESSES, "process") &&
          read_fields(r, 2, FIELDS(fields), &process)))
        return false;
    if (!mem_grow(p->process, r->process_cap, p->processes + 1)) {
        r->no_memory = true;
        return false;
    }
    p->process[p->processes++] = process;
    return true;
}

/* The kinds of lines. */
static const struct {
    const char *word;
    bool once;
    bool (*read)(Reading *r);
} kinds[] = {{"gum-profile", true, read_version},
             {"program", true, read_program},
             {"run", true, read_run},
             {"bytes", true, read_bytes},
             {"cost", true, read_cost},
             {"level", false, read_level},
             {"process", false, read_process}};
enum { VERSION, KINDS = sizeof kinds / sizeof *kinds };

static void read_line(Reading *r)
{
    Words *line = &r->line;
    int kind = 0;
    while (kind < KINDS && !words_say(line, 0, kinds[kind].word))
        kind++;
    if (kind != VERSION && !(r->seen & 1u << VERSION)) {
        (void)bad(r, whole_line(r), "the first line of a profile is `gum-profile 1`");
        line->stop = true;
    } else if (kind == KINDS) {
        (void)bad(r, line->word[0], "lines begin with program, run, bytes, cost, level or process");
    } else if (kinds[kind].once && r->seen & 1u << kind) {
        (void)bad(r, line->word[0], "a profile has one such line");
    } else if (line->count > WORDS_MOST) {
        (void)bad(r, line->word[WORDS_MOST], "the line has too many words");
    } else {
        r->seen |= 1u << kind;
        if (!kinds[kind].read(r) && kind == VERSION)
            line->stop = true; /* nothing that follows makes sense */
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* What only the whole profile shows. */
static void check_whole(Reading *r)
{
    const Span everywhere = {SPAN_NOWHERE, SPAN_NOWHERE};
    const Profile *p = r->profile;
    for (int kind = 0; kind < KINDS; kind++)
        if (!(r->seen & 1u << kind)) {
            diag_error(r->line.diags, everywhere, "the profile has no line '%s'", kinds[kind].word);
            return;
        }
    if (p->processes != r->expected)
        diag_error(r->line.diags, everywhere, "line 'run' says %lld process%s, there are %d",
                   (long long)r->expected, r->expected == 1 ? "" : "es", (int)p->processes);
    if (!isfinite(profile_work(p)) || !(profile_work(p) > 0))
        diag_error(r->line.diags, everywhere, "the sum of the work of all levels is not above 0");
    else if (p->critical > profile_work(p) * (1 + 1e-9))
        diag_error(r->line.diags, everywhere, "'critical' is more than all work");
    else if (p->processes == 1 && p->message == 0)
        diag_warning(
            r->line.diags, everywhere,
            "the run had one process: what its messages would cost is not known and counts as "
            "nothing; a run on two or more measures it");
}

PepaStatus profile_read(Profile **out, const char *name, const char *text, size_t length,
                        PepaDiagnose diagnose, void *user, PepaError *err)
{
    const Source source = {name, text, length};
    DiagList diags = {0};
    Profile *profile;
    if (length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "the profile is longer than 2 GB");
    if (!mem_new_zeroed(profile, 1))
        return error_memory(err);
    Reading r = {.line = {.source = &source, .diags = &diags}, .profile = profile};
    while (!r.no_memory && words_next(&r.line))
        read_line(&r);
    PepaStatus status = PEPA_OK;
    if (r.no_memory) {
        status = error_memory(err);
    } else if (diags.errors > 0) {
        status = PEPA_ESYNTAX;
    } else {
        check_whole(&r);
        status = diags.errors > 0 ? PEPA_EMODEL : PEPA_OK;
    }
    if (status != PEPA_ENOMEM)
        status = diagnose_all(&diags, &source, diagnose, user, status, err);
    diag_free(&diags);
    if (status == PEPA_OK)
        *out = profile;
    else
        profile_free(profile);
    return status;
}

void profile_free(Profile *profile)
{
    if (!profile)
        return;
    mem_free(profile->process);
    mem_free(profile);
}
