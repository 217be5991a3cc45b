# TAAG: the command, the library, their tests.

# TAAG's mapping side, without MPI: XML, the scheduler, the command.
TAAG_FILES_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/taag/files/*.c))
TAAG_SCHEDULE_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/taag/schedule/*.c))
TAAG_PREDICT_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/taag/predict/*.c grid/predict/*.c))
TAAG_CLI_SRC := $(wildcard grid/taag/cli/*.c)
TAAG_CLI_OBJ := $(TAAG_CLI_SRC:%.c=$(BUILD)/obj/%.o)
XML_CFLAGS := $(shell pkg-config --cflags libxml-2.0 2>/dev/null)
XML_LIBS := $(or $(shell pkg-config --libs libxml-2.0 2>/dev/null),-lxml2)

$(BUILD)/obj/grid/taag/cli/%.o: grid/taag/cli/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -Isrc/cli -Iamoget/cli -c $< -o $@

$(TAAG_FILES_OBJ) $(TAAG_SCHEDULE_OBJ): $(BUILD)/obj/%.o: %.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc $(XML_CFLAGS) -c $< -o $@

TAAG_INNER := -I. -Isrc -Iamoget $(XML_CFLAGS)
$(BUILD)/obj/grid/taag/%.o: grid/taag/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(TAAG_INNER) -c $< -o $@

# What it needs of src/base comes with the tool's objects and these.
TAAG_BASE_OBJ := $(filter-out $(TOOL_OBJ),$(BASE_OBJ))
$(BUILD)/bin/taag: $(TAAG_CLI_OBJ) $(DRAWING_OBJ) $(LAUNCH_OBJ) $(BUILD)/obj/amoget/cli/description_file.o $(TAAG_PREDICT_OBJ) $(TAAG_SCHEDULE_OBJ) $(TAAG_FILES_OBJ) $(patsubst %,$(BUILD)/obj/amoget/program/%.o,fault kind) $(TOOL_OBJ) $(TAAG_BASE_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) $(XML_LIBS) -lpthread

# TAAG: one object with what it needs of core and src/base; its public names only.
TAAG_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/taag/*.c grid/taag/files/mapping*.c) grid/taag/files/xml.c amoget/program/kind.c \
    $(patsubst %,grid/core/%.c,agree buffer clock clusters peers session transport) \
    $(patsubst %,src/base/%.c,diag error intern mem memo number source))
$(BUILD)/obj/libtaag.o: $(TAAG_OBJ)
$(BUILD)/include/taag.h: grid/taag/taag.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@
# What taag probe starts on the hosts.
PROBE_SRC := $(wildcard grid/taag/probe/*.c)
$(BUILD)/bin/taag-probe: $(PROBE_SRC:%.c=$(BUILD)/obj/%.o) $(GRID_LIBS) $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread

# An application: examples/nbody, as a user of the library has it.
NBODY_SRC := $(wildcard examples/nbody/*.c)
$(BUILD)/obj/examples/nbody/%.o: examples/nbody/%.c examples/nbody/nbody.h $(BUILD)/include/taag.h $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -c $< -o $@
$(BUILD)/bin/nbody: $(NBODY_SRC:%.c=$(BUILD)/obj/%.o) $(BUILD)/lib/libtaag.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(XML_LIBS) -lm
grid: $(BUILD)/bin/nbody

all: $(BUILD)/bin/taag $(if $(HAVE_MPI),$(BUILD)/bin/taag-probe $(BUILD)/lib/libtaag.a $(BUILD)/include/taag.h)

INSTALLED += $(BUILD)/bin/taag=bin/taag doc/taag.1=share/man/man1/taag.1 \
    grid/taag/cli/completion.bash=$(COMPLETIONS)/taag \
    $(if $(HAVE_MPI),$(BUILD)/include/taag.h=include/taag.h $(BUILD)/lib/libtaag.a=lib/libtaag.a \
        doc/libtaag.3=share/man/man3/libtaag.3 grid/taag/taag.pc.in=lib/pkgconfig/taag.pc \
        $(BUILD)/bin/taag-probe=bin/taag-probe $(foreach s,mapping program,grid/taag/files/$(s).rng=share/taag/$(s).rng))

TAAG_TEST_OBJ := $(call TEST_OBJ,$(wildcard tests/grid/taag/*.c))
$(TAAG_TEST_OBJ): $(BUILD)/test/%.o: tests/%.c $(COMPILE) | $(GEN) $(AMOGET_GEN)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(INNER) $(XML_CFLAGS) -c $< -o $@
$(BUILD)/test/taag_unit: $(TAAG_TEST_OBJ) $(TAAG_PREDICT_OBJ) $(TAAG_SCHEDULE_OBJ) $(TAAG_FILES_OBJ) $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(TEST_LIBS) $(XML_LIBS)

# TAAG: the library as a user sees it, on real processes and in simulated time.
$(BUILD)/test/taag/%.o: tests/taag/%.c $(BUILD)/include/taag.h $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -c $< -o $@
TAAG_TESTS := $(wildcard tests/taag/*.c)
$(BUILD)/test/taag_cases: $(TAAG_TESTS:tests/%.c=$(BUILD)/test/%.o) $(BUILD)/lib/libtaag.a $(LINK)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(XML_LIBS) -lm
# The library with an allocator that fails on demand.
$(BUILD)/test/taag/fault/%.o: tests/taag/fault/%.c grid/taag/taag.h $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) -Igrid/taag -Itests -c $< -o $@
$(BUILD)/test/taag_faults: $(BUILD)/test/taag/fault/main.o $(BUILD)/test/fault/memory.o $(BUILD)/obj/fault/mem.o \
    $(filter-out %/src/base/mem.o,$(TAAG_OBJ)) $(LINK)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) $(XML_LIBS)
TAAG_SMPI := $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(TAAG_TESTS) $(filter grid/% amoget/%,$(TAAG_OBJ:$(BUILD)/obj/%.o=%.c)))
$(BUILD)/smpi/obj/tests/taag/%.o: tests/taag/%.c $(BUILD)/include/taag.h $(COMPILE)
	@mkdir -p $(@D)
	$(call say,SMPICC)$(SMPI_CC) $(OUTER) -c $< -o $@
$(filter $(BUILD)/smpi/obj/grid/taag/% $(BUILD)/smpi/obj/amoget/%,$(TAAG_SMPI)): $(BUILD)/smpi/obj/%.o: %.c $(COMPILE)
	@mkdir -p $(@D)
	$(call say,SMPICC)$(SMPI_CC) $(TAAG_INNER) -c $< -o $@
$(BUILD)/smpi/taag: $(TAAG_SMPI) $(filter $(BUILD)/obj/src/base/%,$(TAAG_OBJ)) $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(SMPICC) $(CFLAGS) $(LDFLAGS) -s -o $@ $(INPUTS) $(XML_LIBS) -lm

# The example on it, whose forces take the time that the hosts of a platform need.
NBODY_SMPI := $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(NBODY_SRC) tests/taag/nbody/charge.c)
$(NBODY_SMPI): $(BUILD)/include/taag.h examples/nbody/nbody.h
$(BUILD)/smpi/nbody: $(NBODY_SMPI) $(filter-out $(BUILD)/smpi/obj/tests/taag/%,$(TAAG_SMPI)) $(filter $(BUILD)/obj/src/base/%,$(TAAG_OBJ)) $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(SMPICC) $(CFLAGS) $(LDFLAGS) -s -o $@ $(INPUTS) $(XML_LIBS) -lm -Wl,--wrap=forces_add
# What taag probe starts, whose work takes the time of the simulated host.
PROBE_SMPI := $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(PROBE_SRC) tests/taag/probe/charge.c)
$(BUILD)/smpi/obj/tests/taag/probe/%.o: tests/taag/probe/%.c $(COMPILE)
	@mkdir -p $(@D)
	$(call say,SMPICC)$(SMPI_CC) -I. -c $< -o $@
$(BUILD)/smpi/probe: $(PROBE_SMPI) $(GRID_SMPI_OBJ) $(filter-out %libgrid.a,$(GRID_LIBS)) $(LINK)
	$(call say,LD)$(SMPICC) $(CFLAGS) $(LDFLAGS) -s -o $@ $(INPUTS) $(LIBS) -lpthread -Wl,--wrap=probe_work

test-taag-unit: $(BUILD)/test/taag_unit
	$< $(RUN_TESTS)
test-taag-smpi: $(BUILD)/smpi/taag
	BUILD=$(BUILD) tests/taag/smpi.sh
test-taag: $(addprefix $(BUILD)/test/,taag_cases taag_faults) $(addprefix $(BUILD)/smpi/,nbody probe) $(addprefix $(BUILD)/bin/,taag taag-probe nbody amoget)
	BUILD=$(BUILD) tests/taag/run.sh
	BUILD=$(BUILD) tests/taag/nbody/run.sh
	BUILD=$(BUILD) tests/taag/probe/run.sh

# The runs of figure 7 of Bosa and Schreiner in simulated time: some 3 minutes.
.PHONY: bench-nbody
bench-nbody: $(BUILD)/bin/taag $(BUILD)/smpi/nbody
	@BUILD=$(BUILD) bench/nbody.sh

# Collectives and MPI's own in simulated time, as CSV: some 5 minutes.  bench/collectives.csv is one, see
# doc/taag-library.md.
.PHONY: bench-taag-collectives
bench-taag-collectives: $(BUILD)/smpi/taag
	@BUILD=$(BUILD) bench/collectives.sh
