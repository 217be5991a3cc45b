/* What the files of bsppredict share. */
#ifndef GRID_BSP_CLI_BSPPREDICT_H
#define GRID_BSP_CLI_BSPPREDICT_H

#include "description_file.h"
#include "grid/bsp/predict/predict.h"
#include "grid/bsp/predict/search.h"

typedef struct {
    const char *trace, *description; /* files; "-": standard input, for one of them */
    bool json, csv, steps, quiet, separate_links;
    const char *processors; /* names, by process; NULL: the best are searched */
    const char *model;      /* number of the superstep whose PEPA model to print; or NULL */
    int64_t stages, now, effort;
    double unit, word, sync, window;
    AmogetDefine *defines;
    size_t define_count;
} PredictOptions;

/* Returns 0, or an exit status after having said why; free in any case.  EXIT_SOLVED with trace NULL:
 * help or version was printed. */
int predict_options_read(PredictOptions *options, int argc, char **argv);
void predict_options_free(PredictOptions *options);

/* From the files to the prediction. */
typedef struct {
    const PredictOptions *options;
    DescriptionFile trace_file, description_file;
    Trace *trace;
    AmogetMachine *machine;
    Platform platform;
    Placement where;
    Found found; /* unless the processors were given */
    Predicting predicting;
    Prediction *each, sum;
} PredictSession;

/* The report, in three forms. */
void predict_report_text(const PredictSession *s, FILE *to);
void predict_report_json(const PredictSession *s, FILE *to);
void predict_report_csv(const PredictSession *s, FILE *to);

#endif
