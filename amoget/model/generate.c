/* Writes the PEPA model of a mapping, or of a shape. */
#include "amoget/model/generate.h"

#include "base/number.h"

/* A model being written: of a mapping, for a reader, or (desc NULL) of a shape. */
typedef struct {
    Text *out;
    Shape shape;
    const AmogetDescription *desc;
    const int32_t *mapping;
} Model;

static void rate_line(Text *out, const char *rate, int32_t number, double value, const char *about)
{
    char digits[NUMBER_SIZE];
    number_write(value, digits);
    text_add(out, "%s%d = %s;%s%s\n", rate, number, digits, about[0] ? "  // " : "", about);
}

/* ", move1, move2", without the first comma. */
static void action_list(Text *out, const char *action, int32_t first, int32_t last, bool begins)
{
    for (int32_t i = first; i <= last; i++)
        text_add(out, "%s%s%d", begins && i == first ? "" : ", ", action, i);
}

static bool has_places(const Model *m)
{
    return m->shape.transfer == AMOGET_BUFFERED;
}

/* The activity by which stage i (from 1) gets an item. */
static const char *enter(const Model *m, int32_t i)
{
    return has_places(m) && i > 1 ? "take" : "move";
}

/* "(phase2, R).(phase2, R).(process2, R)" with rate R = T or mu2. */
static void process_text(Model *m, int32_t i, bool passive)
{
    for (int32_t k = m->shape.phases[i - 1]; k > 0; k--) {
        text_add(m->out, "(%s%d, ", k > 1 ? "phase" : "process", i);
        if (passive)
            text_add(m->out, "T)");
        else
            text_add(m->out, "mu%d)", i);
        text_add(m->out, k > 1 ? "." : "");
    }
}

static void stages_text(Model *m)
{
    for (int32_t i = 1; i <= m->shape.stages; i++) {
        text_add(m->out, "Stage%d = (%s%d, T).", i, enter(m, i), i);
        process_text(m, i, true);
        text_add(m->out, ".(move%d, T).Stage%d;", i + 1, i);
        text_add(m->out, m->desc ? "  // %s\n" : "\n",
                 m->desc ? amoget_stage_name(m->desc, i - 1) : "");
    }
    for (int32_t i = 2; i <= m->shape.stages && has_places(m); i++)
        text_add(m->out, "Place%d = (move%d, T).(take%d, T).Place%d;\n", i, i, i, i);
}

/* Of a bound only: stage i and the next take turns (shape.h). */
static bool turn(const Model *m, int32_t i)
{
    return m->shape.turns >> (i - 1) & 1;
}

static void turns_text(Model *m)
{
    for (int32_t i = 1; i < m->shape.stages; i++)
        if (turn(m, i))
            text_add(m->out, "Turn%d = (move%d, T).(process%d, T).Turn%d;\n", i, i, i + 1, i);
}

static void network_text(Model *m)
{
    text_add(m->out, "\nNetwork = ");
    for (int32_t i = 1; i <= m->shape.stages + 1; i++)
        text_add(m->out, "%s(move%d, lambda%d).Network", i > 1 ? "\n        + " : "", i, i);
    for (int32_t i = 2; i <= m->shape.stages && has_places(m); i++)
        text_add(m->out, "\n        + (take%d, kappa%d).Network", i, i);
    text_add(m->out, ";\n\n");
}

/* Processor1 for a number, Processor_fast for a name: no two names give the same. */
static void processor_name(Model *m, int32_t i)
{
    if (m->desc) {
        const char *name = amoget_processor_name(m->desc->machine, m->mapping[i]);
        bool number = name[0] >= '0' && name[0] <= '9';
        text_add(m->out, "Processor%s%s", number ? "" : "_", name);
    } else {
        text_add(m->out, "Processor%d", m->shape.group[i]);
    }
}

static bool together(const Model *m, int32_t i, int32_t k)
{
    return m->desc ? m->mapping[i] == m->mapping[k] : m->shape.group[i] == m->shape.group[k];
}

/* The next stage, from `from` on, that is the first on its processor; or the number of stages. */
static int32_t next_first(const Model *m, int32_t from)
{
    for (int32_t i = from; i < m->shape.stages; i++) {
        int32_t k = 0;
        while (!together(m, i, k))
            k++;
        if (k == i)
            return i;
    }
    return m->shape.stages;
}

/* Do the stages on the processor of stage i take turns?  For a reader all processors of a serial
 * model are written alike, also where nobody has to wait. */
static bool takes_turns(const Model *m, int32_t i)
{
    return m->desc ? m->desc->sharing == AMOGET_SERIAL : m->shape.group[i] > 0;
}

static int32_t cores_of(const Model *m, int32_t first)
{
    int32_t there = 0;
    for (int32_t i = first; i < m->shape.stages; i++)
        there += together(m, i, first);
    int32_t cores = m->desc ? m->desc->machine->cores[m->mapping[first]]
                            : m->shape.cores[m->shape.group[first]];
    return cores < there ? cores : there;
}

/* The processor of stage `first`, and of others behind it. */
static void processor_text(Model *m, int32_t first)
{
    bool turns = takes_turns(m, first);
    const char *between = " = ";
    processor_name(m, first);
    for (int32_t i = first; i < m->shape.stages; i++) {
        if (!together(m, i, first))
            continue;
        if (turns)
            text_add(m->out, "%s(%s%d, T).Busy%d", between, enter(m, i + 1), i + 1, i + 1);
        for (int32_t k = m->shape.phases[i] > 1 ? 0 : 1; k < 2 && !turns; k++) {
            text_add(m->out, "%s(%s%d, mu%d).", between, k ? "process" : "phase", i + 1, i + 1);
            processor_name(m, first);
            between = "\n    + ";
        }
        between = "\n    + ";
    }
    text_add(m->out, ";\n");
    for (int32_t i = first; i < m->shape.stages && turns; i++) {
        if (!together(m, i, first))
            continue;
        text_add(m->out, "Busy%d = ", i + 1);
        process_text(m, i + 1, false);
        text_add(m->out, ".");
        processor_name(m, first);
        text_add(m->out, ";\n");
    }
}

/* What the pipeline and the processors do together. */
static void shared_actions(Model *m)
{
    bool begins = true;
    for (int32_t i = 1; i <= m->shape.stages; i++) {
        if (takes_turns(m, i - 1)) {
            action_list(m->out, enter(m, i), i, i, begins);
            begins = false;
        }
        if (m->shape.phases[i - 1] > 1) {
            action_list(m->out, "phase", i, i, begins);
            begins = false;
        }
        action_list(m->out, "process", i, i, begins);
        begins = false;
    }
}

static void system_text(Model *m)
{
    int32_t n = m->shape.stages;
    text_add(m->out, "\nNetwork <");
    action_list(m->out, "move", 1, n + 1, true);
    if (has_places(m))
        action_list(m->out, "take", 2, n, false);
    text_add(m->out, ">\n    ((Stage1");
    for (int32_t i = 2; i <= n; i++) {
        if (has_places(m))
            text_add(m->out, " <move%d> Place%d <take%d> Stage%d", i, i, i, i);
        else
            text_add(m->out, " <move%d> Stage%d", i, i);
        if (turn(m, i - 1))
            text_add(m->out, " <move%d, process%d> Turn%d", i - 1, i, i - 1);
    }
    text_add(m->out, ")\n     <");
    shared_actions(m);
    text_add(m->out, ">\n     (");
    for (int32_t i = 0; (i = next_first(m, i)) < n; i++) {
        text_add(m->out, i > 0 ? " || " : "");
        processor_name(m, i);
        if (takes_turns(m, i) && cores_of(m, i) > 1)
            text_add(m->out, "[%d]", cores_of(m, i));
    }
    text_add(m->out, "))\n");
}

static void body(Model *m)
{
    text_add(m->out, "\n");
    stages_text(m);
    turns_text(m);
    network_text(m);
    for (int32_t i = 0; (i = next_first(m, i)) < m->shape.stages; i++)
        processor_text(m, i);
    system_text(m);
}

void generate_chain_model(Text *out, const Shape *shape)
{
    Model m = {.out = out, .shape = *shape};
    for (int32_t i = 1; i <= shape->stages + 1; i++)
        rate_line(out, "lambda", i, 1, "");
    for (int32_t i = 1; i <= shape->stages; i++)
        rate_line(out, "mu", i, 1, "");
    for (int32_t i = 2; i <= shape->stages && has_places(&m); i++)
        rate_line(out, "kappa", i, 1, "");
    body(&m);
}

/* ---- for a reader ------------------------------------------------------------------------ */

static void move_about(const Model *m, Text *about, int32_t move)
{
    int32_t from = move > 0 ? m->mapping[move - 1] : m->desc->input;
    int32_t to = move < m->shape.stages ? m->mapping[move] : m->desc->output_to;
    if (from == AMOGET_NOWHERE || to == AMOGET_NOWHERE || from == to)
        text_add(about, "within %s",
                 amoget_processor_name(m->desc->machine, from == AMOGET_NOWHERE ? to : from));
    else
        text_add(about, "from %s to %s", amoget_processor_name(m->desc->machine, from),
                 amoget_processor_name(m->desc->machine, to));
}

static void process_about(const Model *m, Text *about, int32_t stage)
{
    int32_t there = 0, phases = m->shape.phases[stage];
    for (int32_t i = 0; i < m->shape.stages; i++)
        there += m->mapping[i] == m->mapping[stage];
    text_add(about, "on %s", amoget_processor_name(m->desc->machine, m->mapping[stage]));
    if (there > 1)
        text_add(about, ", which runs %d stages", there);
    if (phases > 1)
        text_add(about, "; in each of %d phases", phases);
}

/* Rates of the activities first, first + step, ... < last, by what they are about. */
static void rates_text(Model *m, const char *rate, int32_t number, int32_t first, int32_t step,
                       int32_t last, const double *seconds)
{
    for (int32_t k = first; k < last; k += step, number++) {
        Text about = {0};
        bool process = k % 2 && k < 2 * m->shape.stages + 1;
        if (process)
            process_about(m, &about, k / 2);
        else if (k < 2 * m->shape.stages + 1)
            move_about(m, &about, k / 2);
        else
            text_add(&about, "within %s",
                     amoget_processor_name(m->desc->machine, m->mapping[number - 1]));
        rate_line(m->out, rate, number, (process ? m->shape.phases[k / 2] : 1) / seconds[k],
                  about.text ? about.text : "");
        m->out->failed = m->out->failed || about.failed;
        text_free(&about);
    }
}

static PepaStatus write_model(Model *m, PepaError *err)
{
    double seconds[MOST_ACTIVITIES];
    int32_t n = m->shape.stages, count = amoget_activity_count(m->desc);
    PepaStatus status = amoget_durations(m->desc, m->mapping, seconds, err);
    if (status != PEPA_OK)
        return status;
    text_add(m->out, "// A pipeline of %d stage%s, mapped to (", n, n == 1 ? "" : "s");
    for (int32_t i = 0; i < n; i++)
        text_add(m->out, "%s%s", i > 0 ? ", " : "",
                 amoget_processor_name(m->desc->machine, m->mapping[i]));
    text_add(m->out, ").  Rates are per second.\n");
    rates_text(m, "lambda", 1, 0, 2, 2 * n + 1, seconds);
    rates_text(m, "mu", 1, 1, 2, 2 * n + 1, seconds);
    rates_text(m, "kappa", 2, 2 * n + 1, 1, count, seconds);
    body(m);
    return m->out->failed ? error_memory(err) : PEPA_OK;
}

PepaStatus amoget_model(const AmogetDescription *desc, const int32_t *mapping, char **text,
                        PepaError *err)
{
    Text out = {0};
    if (!desc || !mapping || !text)
        return error_null(err, "amoget_model");
    Model m = {&out, shape_free(desc, 0, desc->stages), desc, mapping};
    PepaStatus status = write_model(&m, err);
    if (status == PEPA_OK)
        *text = out.text;
    else
        text_free(&out);
    return status;
}

void amoget_text_free(char *text)
{
    mem_free(text);
}
