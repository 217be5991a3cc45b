# The run-times on MPI: what they share, pipelines, their tests; programs are started by grid/launch.

GRID_SRC := $(shell find grid -name '*.c' -not -path 'grid/taag/*' -not -path 'grid/bsp*' -not -path 'grid/gum*' -not -path 'grid/launch/*' -not -path 'grid/start/*' -not -path 'grid/predict/*' | LC_ALL=C sort)
GRID_OBJ := $(GRID_SRC:%.c=$(BUILD)/obj/%.o)
# The compiler with what MPI needs; OpenMPI and MPICH call it by these names.
MPICC ?= mpicc
MPI_CC = OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC)
HAVE_MPI := $(shell command -v $(MPICC) 2>/dev/null)

# What starts processes by mpirun.
LAUNCH_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/launch/*.c))
$(BUILD)/obj/grid/launch/%.o: grid/launch/%.c $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) -I. -c $< -o $@

$(BUILD)/obj/grid/%.o: grid/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -c $< -o $@

grid: $(BUILD)/lib/libgrid.a

$(BUILD)/lib/libgrid.a: $(GRID_OBJ) $(LINK)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)ar rcs $@ $(INPUTS)

GRID_LIBS := $(BUILD)/lib/libgrid.a $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a

# An application: examples/pipeline.
IMAGES_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard examples/pipeline/*.c))
$(BUILD)/obj/examples/pipeline/%.o: examples/pipeline/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -c $< -o $@
$(BUILD)/bin/grid-images: $(IMAGES_OBJ) $(GRID_LIBS) $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread
grid: $(BUILD)/bin/grid-images

.PHONY: demo-grid test-grid-images
demo-grid: setup
	@$(MAKE) --no-print-directory $(BUILD)/bin/grid-images
	@BUILD=$(BUILD) examples/pipeline/demo.sh
test-grid: test-grid-images
test-grid-images: $(BUILD)/bin/grid-images $(BUILD)/bin/amoget
	BUILD=$(BUILD) tests/grid/images.sh

# The runs on MPI, with allocations that fail on demand.
GRID_TEST_OBJ := $(call TEST_OBJ,$(wildcard tests/grid/*.c))
$(GRID_TEST_OBJ): $(BUILD)/test/%.o: tests/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -I$(dir $<) -c $< -o $@

$(BUILD)/test/pipes: $(GRID_TEST_OBJ) $(GRID_LIBS) $(LINK)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread \
	    $(foreach f,malloc calloc realloc free,-Wl,--wrap=$(f))

# The same in simulated time: SimGrid's SMPI.  A process is a copy of a shared object that has `main`: without symbols
# it is small.  grid_guard, which forks, is left out; what else there is in guard.c is for the system, not for SMPI.
SMPICC ?= smpicc
SMPI_CC = $(SMPICC) $(filter-out -g,$(CFLAGS)) $(filter-out -fvisibility=hidden,$(STD)) $(WARN)
GRID_SMPI_OBJ := $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(filter-out grid/core/guard.c,$(GRID_SRC))) $(BUILD)/obj/grid/core/guard.o
$(BUILD)/smpi/obj/%.o: %.c $(HEADERS) $(BUILD)/include/bsp.h $(COMPILE)
	@mkdir -p $(@D)
	$(call say,SMPICC)$(SMPI_CC) $(OUTER) -I. -Itests/grid -c $< -o $@
$(BUILD)/smpi/pipes: $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(wildcard tests/grid/*.c))
$(BUILD)/smpi/simulated: $(patsubst %.c,$(BUILD)/smpi/obj/%.o,tests/grid/harness.c \
    $(filter-out %/guard.c,$(wildcard tests/grid/smpi/*.c)))
$(BUILD)/smpi/pipes: SMPI_WRAP := $(foreach f,malloc calloc realloc free grid_guard,-Wl,--wrap=$(f))
$(BUILD)/smpi/pipes: $(BUILD)/smpi/obj/tests/grid/smpi/guard.o
$(BUILD)/smpi/pipes $(BUILD)/smpi/simulated: $(GRID_SMPI_OBJ) $(filter-out %libgrid.a,$(GRID_LIBS)) $(LINK)
	$(call say,LD)$(SMPICC) $(CFLAGS) $(LDFLAGS) $(SMPI_WRAP) -s -o $@ $(INPUTS) $(LIBS) -lpthread
# What tests/grid/smpirun.sh loads before a program.
STILL_CLOCK := $(BUILD)/smpi/still_clock.so
$(STILL_CLOCK): tests/grid/smpi/preload/still_clock.c $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) -shared -o $@ $<
SMPI_PROGRAMS := $(addprefix $(BUILD)/smpi/,pipes simulated bsp_conform bsp_simulated bsp_supersteps bsp_bench gum_graphs gum_shapes \
    taag nbody probe)
$(SMPI_PROGRAMS): | $(STILL_CLOCK)

test-grid: $(BUILD)/test/pipes
	BUILD=$(BUILD) tests/grid/run.sh
