/* What the files of the command gum share. */
#ifndef GRID_GUM_CLI_GUM_PREDICT_H
#define GRID_GUM_CLI_GUM_PREDICT_H

#include "description_file.h"
#include "grid/gum/predict/advise.h"
#include "grid/gum/predict/profile_read.h"

typedef struct {
    const char *description, *profile; /* files; "-": standard input, for one of them */
    bool json, csv, quiet, brief;
    const char *model; /* policy whose PEPA model to print; or NULL */
    int64_t processes, watermark, age, stages, now;
    AmogetDefine *defines;
    size_t define_count;
} GumOptions;

/* Returns 0, or an exit status after having said why; free in any case.  EXIT_SOLVED with profile NULL:
 * help or version was printed. */
int gum_options_read(GumOptions *options, int argc, char **argv);
void gum_options_free(GumOptions *options);

/* From the files to the predictions. */
typedef struct {
    const GumOptions *options;
    DescriptionFile description_file, profile_file;
    AmogetMachine *machine;
    Profile *profile;
    Platform platform;
    Predicting how;
    Prediction each[POLICIES];
    PolicyName best;
    Crossover task[MOST_CROSSOVERS], latency[MOST_CROSSOVERS];
    int32_t tasks, latencies;
    Worth *worth; /* by cluster; NULL with --brief */
    int32_t predictions;
    double began; /* seconds of the clock */
    bool progress_shown;
} GumSession;

/* The report, in three forms. */
void gum_report_text(const GumSession *s, FILE *to);
void gum_report_json(const GumSession *s, FILE *to);
void gum_report_csv(const GumSession *s, FILE *to);

#endif
