# pepa and amoget on MPI, where there is an mpicc: processes that share a chain, or a ranking.

PEPA_MPI_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/mpi/*.c))
$(BUILD)/obj/src/mpi/%.o: src/mpi/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -Isrc/cli -Iamoget/cli -c $< -o $@
PEPA_MPI_ALL := $(filter-out $(ALONE_OBJ),$(CLI_OBJ)) $(PEPA_MPI_OBJ) $(LAUNCH_OBJ) $(BUILD)/obj/amoget/cli/description_file.o $(TOOL_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a
$(BUILD)/bin/pepa-mpi: $(PEPA_MPI_ALL) $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS)
AMOGET_MPI_ALL := $(filter-out $(ALONE_OBJ),$(AMOGET_CLI_OBJ)) $(PEPA_MPI_OBJ) $(LAUNCH_OBJ) $(TOOL_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a
$(BUILD)/bin/amoget-mpi: $(AMOGET_MPI_ALL) $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread

# For programs: the processes alone.
$(BUILD)/lib/libpepa_mpi.a: $(BUILD)/obj/src/mpi/processes.o $(LINK)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)ar rcs $@ $(INPUTS)
$(BUILD)/include/pepa_mpi.h: src/mpi/pepa_mpi.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@

all: $(if $(HAVE_MPI),$(BUILD)/bin/pepa-mpi $(BUILD)/bin/amoget-mpi $(BUILD)/lib/libpepa_mpi.a $(BUILD)/include/pepa_mpi.h)
INSTALLED += $(if $(HAVE_MPI),$(BUILD)/bin/pepa-mpi=bin/pepa-mpi $(BUILD)/bin/amoget-mpi=bin/amoget-mpi \
    $(BUILD)/lib/libpepa_mpi.a=lib/libpepa_mpi.a $(BUILD)/include/pepa_mpi.h=include/pepa_mpi.h \
    src/mpi/pepa_mpi.pc.in=lib/pkgconfig/pepa_mpi.pc)

# Random models: what of the tests makes them needs no MPI.
RANDOM_OBJ := $(call TEST_OBJ,$(wildcard tests/property/random_*.c tests/property/ref_model.c tests/property/ref_names.c tests/property/ref_print.c))
$(BUILD)/test/mpi/%.o: tests/mpi/%.c $(HEADERS) $(BUILD)/include/pepa_mpi.h $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -Itests -c $< -o $@
$(BUILD)/test/mpi_%: $(BUILD)/test/mpi/%.o $(BUILD)/lib/libpepa_mpi.a $(RANDOM_OBJ) $(BUILD)/lib/internal.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS)

# pepa-mpi and amoget-mpi, often in one start of MPI.
$(BUILD)/test/often_pepa: $(PEPA_MPI_ALL)
$(BUILD)/test/often_amoget: $(AMOGET_MPI_ALL)
$(BUILD)/test/often_pepa $(BUILD)/test/often_amoget: $(BUILD)/test/mpi/often.o $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread \
	    $(foreach f,main MPI_Init_thread MPI_Finalize,-Wl$(comma)--wrap=$(f))

test-mpi: $(addprefix $(BUILD)/,bin/pepa bin/pepa-mpi test/often_pepa)
	BUILD=$(BUILD) tests/mpi/numbers.sh
test-mpi-measures: $(addprefix $(BUILD)/bin/,pepa pepa-mpi)
	BUILD=$(BUILD) tests/mpi/measures.sh
test-mpi-random: $(BUILD)/test/mpi_random $(BUILD)/test/mpi_passages
	BUILD=$(BUILD) tests/mpi/random.sh
test-mpi-errors: $(addprefix $(BUILD)/bin/,pepa pepa-mpi)
	BUILD=$(BUILD) tests/mpi/errors.sh
test-mpi-rankings: $(addprefix $(BUILD)/,bin/amoget bin/amoget-mpi test/often_amoget)
	BUILD=$(BUILD) tests/mpi/rankings.sh
test-mpi-kills: $(addprefix $(BUILD)/bin/,pepa pepa-mpi)
	BUILD=$(BUILD) tests/mpi/kills.sh
