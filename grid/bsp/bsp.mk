# BSPlib: the library, the commands, their tests.

# BSPlib, with what it needs of grid/core; and the command that runs its programs, which needs no MPI.
BSP_SRC := $(wildcard grid/bsp/*.c) $(patsubst %,grid/core/%.c,buffer clock clusters decimal guard peers)
# What starts programs, here and of GUM.
START_OBJ := $(patsubst %,$(BUILD)/obj/grid/start/%.o,choose hosts start) $(LAUNCH_OBJ) \
    $(BUILD)/obj/amoget/cli/description_file.o $(SHARED_OBJ) $(BASE_OBJ)
# Predictions for its programs, without MPI; the commands.
PREDICT_SRC := $(wildcard grid/bsp/predict/*.c grid/predict/*.c)
BSPPREDICT_SRC := $(wildcard grid/bsp/cli/bsppredict*.c)
BSPBENCH_SRC := $(wildcard grid/bsp/cli/bspbench*.c) grid/bsp/predict/estimate.c
# Part of `all` where there is MPI.
BSP_COMMANDS := $(patsubst %,$(BUILD)/bin/%,bspcc bsprun bspbench)
BSP := $(if $(HAVE_MPI),$(BSP_COMMANDS) $(BUILD)/lib/libbsp.a $(BUILD)/include/bsp.h)

$(BUILD)/include/bsp.h: grid/bsp/bsp.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@

$(sort $(PREDICT_SRC:%.c=$(BUILD)/obj/%.o) $(TAAG_PREDICT_OBJ)): $(BUILD)/obj/%.o: %.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -c $< -o $@

$(BUILD)/obj/grid/bsp/cli/%.o: grid/bsp/cli/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -Isrc/cli -Iamoget/cli -c $< -o $@

$(BSPBENCH_SRC:%.c=$(BUILD)/obj/%.o): $(BUILD)/include/bsp.h

$(BUILD)/obj/grid/start/%.o: grid/start/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -Isrc/cli -Iamoget/cli -c $< -o $@

$(BUILD)/obj/libbsp.o: $(BSP_SRC:%.c=$(BUILD)/obj/%.o)

$(BUILD)/bin/bsppredict: $(BSPPREDICT_SRC:%.c=$(BUILD)/obj/%.o) $(PREDICT_SRC:%.c=$(BUILD)/obj/%.o) \
    $(BUILD)/obj/amoget/cli/description_file.o $(SHARED_OBJ) $(BASE_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS)

$(BUILD)/bin/bspcc $(BUILD)/bin/gumcc: grid/launch/compile.sh
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@ && chmod +x $@

$(BUILD)/bin/bspbench: $(BSPBENCH_SRC:%.c=$(BUILD)/obj/%.o) $(DRAWING_OBJ) $(TOOL_OBJ) $(BUILD)/lib/libbsp.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS)

$(BUILD)/bin/bsprun: $(BUILD)/obj/grid/start/bsprun.o $(START_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread

all: $(BUILD)/bin/bsppredict $(BSP)

INSTALLED += $(foreach c,bsppredict $(if $(BSP),bspcc bsprun bspbench),\
        $(BUILD)/bin/$(c)=bin/$(c) doc/$(c).1=share/man/man1/$(c).1) \
    $(foreach c,bsppredict $(if $(BSP),bsprun bspbench),grid/start/completion.bash=$(COMPLETIONS)/$(c)) \
    $(if $(BSP),$(BUILD)/include/bsp.h=include/bsp.h $(BUILD)/lib/libbsp.a=lib/libbsp.a \
        doc/libbsp.3=share/man/man3/libbsp.3 grid/bsp/bsp.pc.in=lib/pkgconfig/bsp.pc)

# Programs of users of BSPlib, by bspcc alone.
BSP_PROGRAMS := $(patsubst %,$(BUILD)/test/%,bsp_conform bsp_misuse bsp_starts bsp_traced)
BSP_WARN := $(filter-out -Wmissing-prototypes,$(WARN))
$(BUILD)/test/bsp_conform: $(wildcard tests/grid/bsp/conform*.c) tests/grid/bsp/conform.h
$(BUILD)/test/bsp_misuse: $(wildcard tests/grid/bsp/misuse*.c) tests/grid/bsp/misuse.h
$(BUILD)/test/bsp_starts: tests/grid/bsp/starts.c
$(BUILD)/test/bsp_traced: tests/grid/bsp/traced.c
$(BSP_PROGRAMS): $(BSP) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,BSPCC)OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(BUILD)/bin/bspcc $(CFLAGS) -std=c11 \
	    -D_POSIX_C_SOURCE=200809L $(BSP_WARN) $(LDFLAGS) -o $@ $(filter %.c,$^)

# The same in simulated time.
BSP_SMPI_OBJ := $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(filter-out grid/core/guard.c,$(BSP_SRC))) $(BUILD)/obj/grid/core/guard.o
$(BUILD)/smpi/bsp_conform: $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(wildcard tests/grid/bsp/conform*.c))
$(BUILD)/smpi/bsp_simulated: $(BUILD)/smpi/obj/tests/grid/bsp/simulated.o
$(BUILD)/smpi/bsp_supersteps: $(patsubst %,$(BUILD)/smpi/obj/tests/grid/bsp/%.o,supersteps smpi/work)
$(BUILD)/smpi/bsp_bench: $(patsubst %,$(BUILD)/smpi/obj/%.o,tests/grid/bsp/smpi/bench grid/bsp/cli/bspbench_measure \
    grid/bsp/cli/bspbench_pairs grid/bsp/predict/estimate)
$(addprefix $(BUILD)/smpi/bsp_,conform simulated supersteps bench): $(BSP_SMPI_OBJ) $(LINK)
	$(call say,LD)$(SMPICC) $(CFLAGS) $(LDFLAGS) -s -o $@ $(INPUTS) -lm
$(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(wildcard tests/grid/bsp/*.c tests/grid/bsp/smpi/*.c)): $(BUILD)/include/bsp.h

test-grid-bsp: $(BSP) $(BSP_PROGRAMS)
	BUILD=$(BUILD) tests/grid/bsp/run.sh
test-bsp-commands: $(BSP) $(BUILD)/bin/bsppredict $(BSP_PROGRAMS)
	BUILD=$(BUILD) tests/grid/bsp/commands.sh
	BUILD=$(BUILD) tests/grid/bsp/traces.sh

# Supersteps of BSPlib against supersteps by hand.
.PHONY: bench-bsp
bench-bsp: $(BSP)
	@OMPI_CC="$(CC)" $(BUILD)/bin/bspcc -O2 -o $(BUILD)/bin/bench_bsp bench/bsp.c
	@for p in 2 4 12; do $(BUILD)/bin/bsprun -n $$p $(BUILD)/bin/bench_bsp || exit 1; done
