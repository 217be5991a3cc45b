/* How a platform reads the description of a pipeline. */
#ifndef GRID_PIPELINE_READER_H
#define GRID_PIPELINE_READER_H

/* For GridPlatformSettings.reader (grid/machine/platform.h): besides the machine it reads the
 * stages, which a pipeline's run with injected times needs. */
typedef struct GridPlatformReader GridPlatformReader;
const GridPlatformReader *grid_pipeline_reader(void);

#endif
