# make            build/bin/pepa, amoget and taag, the libraries and headers
# make demo       from a fresh machine: install what is missing, build, solve a model, rank mappings
# make check      from a fresh machine: install what is missing, build, run every test
# make test       build and run every test
# make asan       the tests under AddressSanitizer and UndefinedBehaviorSanitizer
# make grid       build/lib/libgrid.a and the programs that run on MPI
# make demo-grid  an image pipeline that moves its stages when a machine becomes slow
# make test-grid  pipelines on MPI; part of make test, as are
# make test-grid-bsp  BSPlib on MPI, and
# make test-grid-smpi  the same on simulated grids
# make test-taag  the library of TAAG on MPI and on simulated grids; part of make test
# make tsan       threads that share models and descriptions, under ThreadSanitizer
# make fuzz       libFuzzer (clang) on the readers and on the whole way; FUZZ_SECONDS=600 each
# make mutants    small changes of the program, each of which a test must find; FILTER=regexp
# make soak       the property tests on many more models; SCALE=50
# make golden     rewrite the expected outputs of the command line
# make bench      benchmarks of some minutes; make bench-long: larger models, an hour or more
# make bench-explore, bench-analyses, bench-threads  parts of it: finding states; transients and
#                 the like; two threads against one
# make bench-auto   how far auto is from the best forced choice, hours; FILTER=regexp, RESUME=1
# make bench-record  puts what bench, bench-long and bench-auto measured into bench/ and doc/
# make bench-grid predictions against runs on MPI
# make bench-bsp  supersteps of BSPlib against supersteps written by hand with MPI
# make install    PREFIX=/usr/local DESTDIR=
# make install-taag  the library of TAAG: likewise
# make uninstall  the same
# make clean      remove BUILD=build
# V=1 shows the commands; CC=clang and CFLAGS=... are heeded.

BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= gcc
CFLAGS  ?= -O2 -g
LDFLAGS ?=
OBJCOPY ?= objcopy
ifeq ($(origin CC),default)
CC := gcc
endif
comma := ,
MAKEFLAGS += --no-builtin-rules
JOBS := $(shell nproc 2>/dev/null || echo 1)
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(JOBS)
endif

VERSION := 0.1.0

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
        -Wconversion $(WERROR)
STD  := -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -fPIC -fvisibility=hidden -MMD -MP
# The library's own code sees every room; clients see the public headers only.
INNER := -I. -Isrc -Iamoget -I$(BUILD)/gen -DPEPA_VERSION='"$(VERSION)"'
OUTER := -I$(BUILD)/include
LIBS  := -lklu -lamd -lcolamd -lbtf -lsuitesparseconfig -lgsl -lgslcblas -lm -lpthread

GEN := $(foreach g,pepa query probe,$(BUILD)/gen/$(g).tab.c $(BUILD)/gen/$(g).lex.c)
AMOGET_GEN := $(BUILD)/gen/desc.tab.c $(BUILD)/gen/desc.lex.c
LIB_SRC := $(shell find src/base parser ctmc solvers src/measure src/optimise src/api -name '*.c' | LC_ALL=C sort)
CLI_SRC := $(wildcard src/cli/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/obj/%.o) $(GEN:$(BUILD)/gen/%.c=$(BUILD)/obj/gen/%.o)
# What both programs share.
SHARED_OBJ := $(patsubst %,$(BUILD)/obj/src/cli/%.o,tool cores)
CLI_OBJ := $(filter-out $(SHARED_OBJ),$(CLI_SRC:%.c=$(BUILD)/obj/%.o))
AMOGET_SRC := $(shell find amoget -name '*.c' -not -path 'amoget/cli/*' | LC_ALL=C sort)
AMOGET_OBJ := $(AMOGET_SRC:%.c=$(BUILD)/obj/%.o) $(AMOGET_GEN:$(BUILD)/gen/%.c=$(BUILD)/obj/gen/%.o)
AMOGET_CLI_SRC := $(wildcard amoget/cli/*.c)
AMOGET_CLI_OBJ := $(AMOGET_CLI_SRC:%.c=$(BUILD)/obj/%.o)
# Where a short loop begins decides its speed by up to a quarter: at a cache line, whatever is before.
LOOPS := -falign-loops=64
# Loops over long rows of numbers: at -O3, unless CFLAGS has another level than -O2, -O3 or -Ofast.
KERNELS := solvers/blocks/blocks_kernel solvers/blocks/extrapolate solvers/direct/gth
$(foreach k,$(KERNELS),$(if $(wildcard $(k).c),,$(error KERNELS names $(k).c, which does not exist)))
ifeq ($(filter-out -O2 -O3 -Ofast,$(lastword $(filter -O%,$(CFLAGS)))),)
$(KERNELS:%=$(BUILD)/obj/%.o): KERNEL_LEVEL := -O3
endif
# What libamoget needs of src/base, which libpepa does not export: memory, texts, diagnostics.
BASE_OBJ := $(filter $(BUILD)/obj/src/base/%,$(LIB_OBJ))
# The same with what it needs of src/base.
TOOL_OBJ := $(SHARED_OBJ) $(patsubst %,$(BUILD)/obj/src/base/%.o,intern mem memo number)

GRID_SRC := $(shell find grid -name '*.c' -not -path 'grid/taag/*' -not -path 'grid/bsp*' -not -path 'grid/launch/*' -not -path 'grid/predict/*' | LC_ALL=C sort)
# TAAG's mapping side, without MPI: XML, the scheduler, the command.
TAAG_FILES_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/taag/files/*.c))
TAAG_SCHEDULE_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/taag/schedule/*.c))
TAAG_PREDICT_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/taag/predict/*.c grid/predict/*.c))
TAAG_CLI_SRC := $(wildcard grid/taag/cli/*.c)
TAAG_CLI_OBJ := $(TAAG_CLI_SRC:%.c=$(BUILD)/obj/%.o)
XML_CFLAGS := $(shell pkg-config --cflags libxml-2.0 2>/dev/null)
XML_LIBS := $(or $(shell pkg-config --libs libxml-2.0 2>/dev/null),-lxml2)
GRID_OBJ := $(GRID_SRC:%.c=$(BUILD)/obj/%.o)
# BSPlib, with what it needs of grid/core; and the command that runs its programs, which needs no MPI.
BSP_SRC := $(wildcard grid/bsp/*.c) $(patsubst %,grid/core/%.c,buffer clock guard peers)
BSPRUN_SRC := $(wildcard grid/bsprun/*.c) grid/launch/launch.c
# Predictions for its programs, without MPI; the commands.
PREDICT_SRC := $(wildcard grid/bsp/predict/*.c grid/predict/*.c)
BSPPREDICT_SRC := $(wildcard grid/bsp/cli/bsppredict*.c)
BSPBENCH_SRC := $(wildcard grid/bsp/cli/bspbench*.c) grid/bsp/predict/estimate.c
# The compiler with what MPI needs; OpenMPI and MPICH call it by these names.
MPICC ?= mpicc
MPI_CC = OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC)
# Part of `all` where there is MPI.
BSP_COMMANDS := $(patsubst %,$(BUILD)/bin/%,bspcc bsprun bspbench)
BSP := $(if $(shell command -v $(MPICC) 2>/dev/null),$(BSP_COMMANDS) $(BUILD)/lib/libbsp.a $(BUILD)/include/bsp.h)

HEADERS := $(patsubst %,$(BUILD)/include/%.h,pepa pepa_measure pepa_transient pepa_passage pepa_experiment pepa_optimise pepa_evidence pepa_structure pepa_walk pepa_lump pepa_csl amoget amoget_machine amoget_program)

# make keeps what it made on the way
.SECONDARY:
.PHONY: all grid setup demo check test bench bench-short bench-long bench-explore bench-analyses bench-threads bench-record bench-auto bench-grid asan tsan fuzz soak golden layers install uninstall clean help
.DELETE_ON_ERROR:
.SUFFIXES:

# One short line per step; V=1 shows the commands.
ifdef V
say =
else
say = @printf '  %-5s %s\n' $(1) $@;
endif

all: $(addprefix $(BUILD)/bin/,pepa amoget taag bsppredict) $(foreach l,pepa amoget,$(BUILD)/lib/lib$(l).a $(BUILD)/lib/lib$(l).so) $(HEADERS) $(BSP)

help:
	@sed -n '/^#/!q; s/^# //p' Makefile

setup:
	@./setup.sh

$(BUILD)/include/%.h: src/%.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@
$(BUILD)/include/%.h: amoget/%.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@
$(BUILD)/include/bsp.h: grid/bsp/bsp.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@

# Objects depend on COMPILE, libraries and programs on LINK: files that hold the compiler and its
# flags, and LINK a checksum of the list of sources.  They are written only when their text changes.
COMPILE := $(BUILD)/flags/compile
LINK := $(BUILD)/flags/link
COMPILE_TEXT = $(CC) $(LOOPS) $(CFLAGS) $(STD) $(WARN) $(INNER) $(MPICC) $(SMPICC)
LINK_TEXT = $(CC) $(CFLAGS) $(LDFLAGS) $(LIBS) $(LD) $(OBJCOPY) $(MPICC) $(SMPICC) $(XML_LIBS) \
    sources $(shell echo $(SOURCES) | cksum)
SOURCES = $(LIB_SRC) $(AMOGET_SRC) $(CLI_SRC) $(AMOGET_CLI_SRC) $(GRID_SRC) $(wildcard grid/taag/*.c grid/taag/*/*.c) $(BSP_SRC) $(BSPRUN_SRC) $(PREDICT_SRC) $(BSPPREDICT_SRC) $(BSPBENCH_SRC) $(TEST_SRC)
.PHONY: FORCE
$(COMPILE): TEXT = $(COMPILE_TEXT)
$(LINK): TEXT = $(LINK_TEXT)
$(COMPILE) $(LINK): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(strip $(TEXT)))' | cmp -s - $@ || \
	    printf '%s\n' '$(subst ','\'',$(strip $(TEXT)))' >$@
INPUTS = $(filter %.o %.a,$^)

# ---- generated parsers ----------------------------------------------------------------------

define GENERATED
$(BUILD)/gen/%.tab.c: $(1)/%.y
	@mkdir -p $$(@D)
	$$(call say,BISON)bison -Wall -Werror --header=$(BUILD)/gen/$$*.tab.h -o $$@ $$<

$(BUILD)/gen/%.lex.c: $(1)/%.l $(BUILD)/gen/%.tab.c
	@mkdir -p $$(@D)
	$$(call say,FLEX)flex --header-file=$(BUILD)/gen/$$*.lex.h -o $$@ $$<
endef
$(foreach d,parser parser/query parser/probe amoget/syntax,$(eval $(call GENERATED,$(d))))

$(BUILD)/obj/gen/%.o: $(BUILD)/gen/%.c $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(INNER) -w -c $< -o $@

# How pictures look, as an array of lines without the remarks: pepa needs no file for it.
$(BUILD)/gen/cli/plot_style.h: src/cli/plot_style.gp
	@mkdir -p $(@D)
	$(call say,SED)sed -e '/^#/d' -e 's/[\"]/\\&/g' -e 's/.*/"&",/' $< >$@
$(BUILD)/obj/src/cli/plot.o: $(BUILD)/gen/cli/plot_style.h

# ---- objects --------------------------------------------------------------------------------

$(BUILD)/obj/src/cli/%.o: src/cli/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -Isrc -I$(BUILD)/gen/cli -c $< -o $@

$(BUILD)/obj/amoget/cli/%.o: amoget/cli/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -Isrc -Isrc/cli -c $< -o $@

$(BUILD)/obj/grid/taag/cli/%.o: grid/taag/cli/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -Isrc/cli -Iamoget/cli -c $< -o $@

$(TAAG_FILES_OBJ) $(TAAG_SCHEDULE_OBJ): $(BUILD)/obj/%.o: %.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc $(XML_CFLAGS) -c $< -o $@

$(sort $(PREDICT_SRC:%.c=$(BUILD)/obj/%.o) $(TAAG_PREDICT_OBJ)): $(BUILD)/obj/%.o: %.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -c $< -o $@

$(BUILD)/obj/grid/bsp/cli/%.o: grid/bsp/cli/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -Isrc/cli -Iamoget/cli -c $< -o $@

$(BSPBENCH_SRC:%.c=$(BUILD)/obj/%.o): $(BUILD)/include/bsp.h

$(BUILD)/obj/grid/launch/%.o: grid/launch/%.c $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) -I. -c $< -o $@

$(BUILD)/obj/grid/bsprun/%.o: grid/bsprun/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -DPEPA_VERSION='"$(VERSION)"' -c $< -o $@

TAAG_INNER := -I. -Isrc -Iamoget $(XML_CFLAGS)
$(BUILD)/obj/grid/taag/%.o: grid/taag/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(TAAG_INNER) -c $< -o $@
$(BUILD)/obj/grid/%.o: grid/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -c $< -o $@

$(BUILD)/obj/%.o: %.c $(COMPILE) | $(GEN) $(AMOGET_GEN)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(LOOPS) $(CFLAGS) $(KERNEL_LEVEL) $(STD) $(WARN) $(INNER) -c $< -o $@

# All memory comes from here; with the allocator of tests/fault/memory.c, which fails on demand.
$(BUILD)/obj/fault/mem.o: src/base/mem.c $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(INNER) $(foreach f,malloc calloc realloc aligned_alloc,-D$(f)=failing_$(f)) -c $< -o $@

# ---- libraries ------------------------------------------------------------------------------

# A static library is one object, in which all names but the public ones are local: a program may
# have functions of its own with these names.
$(BUILD)/obj/libpepa.o: $(LIB_OBJ)
$(BUILD)/obj/libamoget.o: $(AMOGET_OBJ) $(BASE_OBJ)
$(BUILD)/obj/libbsp.o: $(BSP_SRC:%.c=$(BUILD)/obj/%.o)
$(BUILD)/obj/libpepa.o $(BUILD)/obj/libamoget.o $(BUILD)/obj/libbsp.o: $(LINK)
	$(call say,LD)$(MERGE) -o $@ $(INPUTS) && $(OBJCOPY) --localize-hidden $@
# With -flto objects hold no machine code yet; GCC makes it here.
MERGE = $(if $(filter -flto%,$(CFLAGS)),\
    $(CC) $(CFLAGS) -r -nostdlib -flinker-output=nolto-rel,$(LD) -r)

$(BUILD)/lib/lib%.a: $(BUILD)/obj/lib%.o $(LINK)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)ar rcs $@ $<

# Both libraries with all their names, for the tests.
$(BUILD)/lib/internal.a: $(LIB_OBJ) $(AMOGET_OBJ) $(LINK)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)ar rcs $@ $(INPUTS)

$(BUILD)/lib/libpepa.so: $(LIB_OBJ) $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libpepa.so.0 -o $@ \
	    $(INPUTS) $(LIBS)
	@ln -sf libpepa.so $(@D)/libpepa.so.0

$(BUILD)/lib/libamoget.so: $(AMOGET_OBJ) $(BASE_OBJ) $(BUILD)/lib/libpepa.so $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libamoget.so.0 -Wl,-rpath,'$$ORIGIN' -o $@ \
	    $(AMOGET_OBJ) $(BASE_OBJ) -L$(@D) -lpepa -lpthread -lm
	@ln -sf libamoget.so $(@D)/libamoget.so.0

$(BUILD)/bin/amoget: $(AMOGET_CLI_OBJ) $(TOOL_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread

# What it needs of src/base comes with the tool's objects and these.
TAAG_BASE_OBJ := $(filter-out $(TOOL_OBJ),$(BASE_OBJ))
$(BUILD)/bin/taag: $(TAAG_CLI_OBJ) $(BUILD)/obj/grid/launch/launch.o $(BUILD)/obj/amoget/cli/description_file.o $(TAAG_PREDICT_OBJ) $(TAAG_SCHEDULE_OBJ) $(TAAG_FILES_OBJ) $(BUILD)/obj/amoget/program/kind.o $(TOOL_OBJ) $(TAAG_BASE_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) $(XML_LIBS) -lpthread

$(BUILD)/bin/pepa: $(CLI_OBJ) $(TOOL_OBJ) $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS)

$(BUILD)/bin/bsppredict: $(BSPPREDICT_SRC:%.c=$(BUILD)/obj/%.o) $(PREDICT_SRC:%.c=$(BUILD)/obj/%.o) \
    $(BUILD)/obj/amoget/cli/description_file.o $(SHARED_OBJ) $(BASE_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS)

grid: $(BUILD)/lib/libgrid.a

$(BUILD)/lib/libgrid.a: $(GRID_OBJ) $(LINK)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)ar rcs $@ $(INPUTS)

$(BUILD)/bin/bspcc: grid/bsprun/bspcc.sh
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@ && chmod +x $@

$(BUILD)/bin/bspbench: $(BSPBENCH_SRC:%.c=$(BUILD)/obj/%.o) $(TOOL_OBJ) $(BUILD)/lib/libbsp.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS)

$(BUILD)/bin/bsprun: $(BSPRUN_SRC:%.c=$(BUILD)/obj/%.o) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread

GRID_LIBS := $(BUILD)/lib/libgrid.a $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a

# TAAG: one object with what it needs of core and src/base; its public names only.
TAAG_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/taag/*.c grid/taag/files/mapping*.c) amoget/program/kind.c \
    $(patsubst %,grid/core/%.c,agree buffer clock peers session transport) \
    $(patsubst %,src/base/%.c,diag error intern mem memo number source))
$(BUILD)/obj/libtaag.o: $(TAAG_OBJ) $(LINK)
	$(call say,LD)$(MERGE) -o $@ $(INPUTS) && $(OBJCOPY) --localize-hidden $@
$(BUILD)/include/taag.h: grid/taag/taag.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@
grid: $(BUILD)/lib/libtaag.a $(BUILD)/include/taag.h

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

# ---- from a fresh machine -------------------------------------------------------------------

demo: setup
	@$(MAKE) --no-print-directory all
	@echo
	$(BUILD)/bin/pepa solve models/pipeline3.pepa
	@echo
	$(BUILD)/bin/amoget examples/pipeline3.amo

check: setup
	@$(MAKE) --no-print-directory test

# ---- tests ----------------------------------------------------------------------------------

TEST_DIRS := base parser ctmc solvers measure optimise api amoget
UNIT_SRC := $(foreach d,$(TEST_DIRS),$(wildcard tests/$(d)/*.c)) tests/cli/test_cores.c
PROPERTY_SRC := $(wildcard tests/property/*.c) tests/ctmc/numbers.c
FAULT_SRC := $(wildcard tests/fault/*.c)
THREADS_SRC := $(wildcard tests/threads/*.c)
TEST_LIBS := -lcriterion -lgmp $(LIBS) -lpthread
TEST_OBJ = $(1:tests/%.c=$(BUILD)/test/%.o)
# One test process at a time per core; criterion isolates each test in a process of its own.
RUN_TESTS := -j$(JOBS) --timeout $(or $(TIMEOUT),300)

$(BUILD)/test/%.o: tests/%.c $(COMPILE) | $(GEN) $(AMOGET_GEN)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(INNER) -Itests -Itests/$(dir $*) -c $< -o $@

$(BUILD)/test/unit: $(call TEST_OBJ,$(UNIT_SRC)) $(BUILD)/obj/src/cli/cores.o $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(TEST_LIBS)

# The functions that tests/property/forcing.c replaces.
FORCED := attempt_run attempt_stalls attempt_stalls_by attempt_step budget_allows chain_derive \
    solve_flow solve_blocks search_init search_unfit search_alone diagram_not_decomposable \
    flow_nearly_decomposable settle_groups history_extrapolate history_first blocks_aggregate \
    lumped_guess absorb_gth runner_sweep clock_gettime
$(BUILD)/test/property_tests: $(call TEST_OBJ,$(PROPERTY_SRC)) $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(TEST_LIBS) \
	    $(foreach f,$(FORCED),-Wl$(comma)--wrap=$(f))

$(BUILD)/test/fault_tests: $(call TEST_OBJ,$(FAULT_SRC)) $(BUILD)/obj/fault/mem.o $(TAAG_SCHEDULE_OBJ) $(TAAG_FILES_OBJ) $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(TEST_LIBS) $(XML_LIBS)

$(BUILD)/test/threads_test: $(call TEST_OBJ,$(THREADS_SRC)) $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread

# amoget, with a clock that does not depend on the machine.
$(BUILD)/test/amoget_ticking: $(BUILD)/test/cli/ticking.o $(AMOGET_CLI_OBJ) $(TOOL_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread -Wl,--wrap=clock_gettime

# The runs on MPI, with allocations that fail on demand; what needs no MPI, as unit tests.
GRID_TEST_OBJ := $(call TEST_OBJ,$(wildcard tests/grid/*.c))
GRID_UNIT_OBJ := $(call TEST_OBJ,$(wildcard tests/grid/unit/*.c))
$(GRID_UNIT_OBJ): $(BUILD)/test/%.o: tests/%.c $(HEADERS) $(COMPILE) | $(GEN) $(AMOGET_GEN)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(INNER) $(XML_CFLAGS) -I$(dir $<) -c $< -o $@
$(GRID_TEST_OBJ): $(BUILD)/test/%.o: tests/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -I$(dir $<) -c $< -o $@

$(BUILD)/test/pipes: $(GRID_TEST_OBJ) $(GRID_LIBS) $(LINK)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread \
	    $(foreach f,malloc calloc realloc free,-Wl,--wrap=$(f))

$(BUILD)/test/grid_unit: $(GRID_UNIT_OBJ) $(patsubst %,$(BUILD)/obj/grid/%.o,bsp/registry bsp/schedule bsprun/hosts) $(TAAG_FILES_OBJ) $(PREDICT_SRC:%.c=$(BUILD)/obj/%.o) $(BUILD)/lib/libgrid.a $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(TEST_LIBS) $(XML_LIBS)

TAAG_TEST_OBJ := $(call TEST_OBJ,$(wildcard tests/grid/taag/*.c))
$(TAAG_TEST_OBJ): $(BUILD)/test/%.o: tests/%.c $(COMPILE) | $(GEN) $(AMOGET_GEN)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(INNER) $(XML_CFLAGS) -c $< -o $@
$(BUILD)/test/taag_unit: $(TAAG_TEST_OBJ) $(TAAG_PREDICT_OBJ) $(TAAG_SCHEDULE_OBJ) $(TAAG_FILES_OBJ) $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(TEST_LIBS) $(XML_LIBS)

# The same in simulated time: SimGrid's SMPI.  A process is a copy of a shared object that has `main`: without symbols
# it is small.  grid_guard, which forks, is left out; what else there is in guard.c is for the system, not for SMPI.
SMPICC ?= smpicc
GRID_SMPI_OBJ := $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(filter-out grid/core/guard.c,$(GRID_SRC))) $(BUILD)/obj/grid/core/guard.o
$(BUILD)/smpi/obj/%.o: %.c $(HEADERS) $(BUILD)/include/bsp.h $(COMPILE)
	@mkdir -p $(@D)
	$(call say,SMPICC)$(SMPICC) $(CFLAGS) $(filter-out -fvisibility=hidden,$(STD)) $(WARN) $(OUTER) -I. -Itests/grid -c $< -o $@
$(BUILD)/smpi/pipes: $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(wildcard tests/grid/*.c))
$(BUILD)/smpi/simulated: $(patsubst %.c,$(BUILD)/smpi/obj/%.o,tests/grid/harness.c \
    $(filter-out %/guard.c,$(wildcard tests/grid/smpi/*.c)))
$(BUILD)/smpi/pipes: SMPI_WRAP := $(foreach f,malloc calloc realloc free grid_guard,-Wl,--wrap=$(f))
$(BUILD)/smpi/pipes: $(BUILD)/smpi/obj/tests/grid/smpi/guard.o
$(BUILD)/smpi/pipes $(BUILD)/smpi/simulated: $(GRID_SMPI_OBJ) $(filter-out %libgrid.a,$(GRID_LIBS)) $(LINK)
	$(call say,LD)$(SMPICC) $(CFLAGS) $(LDFLAGS) $(SMPI_WRAP) -s -o $@ $(INPUTS) $(LIBS) -lpthread

# TAAG: the library as a user sees it, on real processes and in simulated time.
$(BUILD)/test/taag/%.o: tests/taag/%.c $(BUILD)/include/taag.h $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -c $< -o $@
TAAG_TESTS := $(wildcard tests/taag/*.c)
$(BUILD)/test/taag_cases: $(TAAG_TESTS:tests/%.c=$(BUILD)/test/%.o) $(BUILD)/lib/libtaag.a $(LINK)
	$(call say,LD)$(MPI_CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(XML_LIBS) -lm
TAAG_SMPI := $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(TAAG_TESTS) $(filter grid/% amoget/%,$(TAAG_OBJ:$(BUILD)/obj/%.o=%.c)))
$(BUILD)/smpi/obj/tests/taag/%.o: tests/taag/%.c $(BUILD)/include/taag.h $(COMPILE)
	@mkdir -p $(@D)
	$(call say,SMPICC)$(SMPICC) $(CFLAGS) $(filter-out -fvisibility=hidden,$(STD)) $(WARN) $(OUTER) -c $< -o $@
$(filter $(BUILD)/smpi/obj/grid/taag/% $(BUILD)/smpi/obj/amoget/%,$(TAAG_SMPI)): $(BUILD)/smpi/obj/%.o: %.c $(COMPILE)
	@mkdir -p $(@D)
	$(call say,SMPICC)$(SMPICC) $(CFLAGS) $(filter-out -fvisibility=hidden,$(STD)) $(WARN) $(TAAG_INNER) -c $< -o $@
$(BUILD)/smpi/taag: $(TAAG_SMPI) $(filter $(BUILD)/obj/src/base/%,$(TAAG_OBJ)) $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(SMPICC) $(CFLAGS) $(LDFLAGS) -s -o $@ $(INPUTS) $(XML_LIBS) -lm

# Programs of users of BSPlib, by bspcc alone.
BSP_PROGRAMS := $(patsubst %,$(BUILD)/test/%,bsp_conform bsp_misuse bsp_starts bsp_traced)
BSP_WARN := $(filter-out -Wmissing-prototypes,$(WARN))
$(BUILD)/test/bsp_conform: $(wildcard tests/grid/bsp/conform*.c) tests/grid/bsp/conform.h
$(BUILD)/test/bsp_misuse: tests/grid/bsp/misuse.c
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
$(BUILD)/smpi/bsp_supersteps: $(BUILD)/smpi/obj/tests/grid/bsp/smpi/supersteps.o
$(addprefix $(BUILD)/smpi/bsp_,conform simulated supersteps): $(BSP_SMPI_OBJ) $(LINK)
	$(call say,LD)$(SMPICC) $(CFLAGS) $(LDFLAGS) -s -o $@ $(INPUTS) -lm
$(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(wildcard tests/grid/bsp/*.c tests/grid/bsp/smpi/*.c)): $(BUILD)/include/bsp.h

FUZZERS := fuzz_parse fuzz_query fuzz_probe fuzz_solve fuzz_desc fuzz_trace
TEST_PROGRAMS := $(addprefix $(BUILD)/test/,unit grid_unit pipes property_tests fault_tests threads_test taag_unit taag_cases $(FUZZERS)) $(BSP_PROGRAMS)
# Runs on MPI are against the clock, so each has the machine to itself.  All others run side by side,
# with half of the cores each, the long ones first; their output is kept apart.
ALONE := test-grid test-grid-bsp test-grid-smpi test-taag
TESTS := test-tsan test-unit test-property test-fault test-grid-unit test-taag-unit test-threads test-public test-fuzz \
    test-cli test-docs test-bench $(ALONE)
HALF := $(shell expr '(' $(JOBS) + 1 ')' / 2)

TEST_SRC = $(UNIT_SRC) $(PROPERTY_SRC) $(FAULT_SRC) $(THREADS_SRC) $(wildcard tests/grid/*.c tests/grid/*/*.c)

.PHONY: $(TESTS)
test: layers mutants-check all $(TEST_PROGRAMS)
	@$(MAKE) --no-print-directory -O JOBS=$(HALF) $(filter-out $(ALONE),$(TESTS))
	@for each in $(filter $(ALONE),$(TESTS)); do \
	    $(MAKE) --no-print-directory $$each || exit 1; done
	@echo "all tests passed"

test-unit: $(BUILD)/test/unit
	$< $(RUN_TESTS)
# Half of the models of `make soak SCALE=1`: a wrong rule shows on most models that use it, so that
# twice as many find little more, and take two minutes.
test-property: $(BUILD)/test/property_tests
	PEPA_TEST_SCALE=$(or $(PEPA_TEST_SCALE),0.5) $< $(RUN_TESTS)
test-fault: $(BUILD)/test/fault_tests
	$< $(RUN_TESTS)
test-threads: $(BUILD)/test/threads_test
	$<
# Where ThreadSanitizer does not run (some kernels, some compilers), test-threads has to do.
test-tsan:
	@mkdir -p $(BUILD)/tsan
	@if echo 'int main(void) { return 0; }' | $(CC) -fsanitize=thread -x c -o $(BUILD)/tsan/probe - && \
	    $(BUILD)/tsan/probe; then $(MAKE) --no-print-directory tsan; \
	else echo "tsan: skipped: no ThreadSanitizer here"; fi
test-grid-unit: $(BUILD)/test/grid_unit
	$< $(RUN_TESTS)
test-taag-unit: $(BUILD)/test/taag_unit
	$< $(RUN_TESTS)
test-grid: $(BUILD)/test/pipes
	BUILD=$(BUILD) tests/grid/run.sh
test-grid-bsp: $(BSP) $(BUILD)/bin/bsppredict $(BSP_PROGRAMS)
	BUILD=$(BUILD) tests/grid/bsp/run.sh
	BUILD=$(BUILD) tests/grid/bsp/traces.sh
test-grid-smpi: $(addprefix $(BUILD)/smpi/,pipes simulated bsp_conform bsp_simulated bsp_supersteps) $(BUILD)/bin/bsppredict
	BUILD=$(BUILD) tests/grid/smpi.sh
	BUILD=$(BUILD) tests/grid/bsp/smpi/predict.sh
test-taag: $(BUILD)/test/taag_cases $(BUILD)/smpi/taag
	BUILD=$(BUILD) tests/taag/run.sh
test-cli: all $(BUILD)/test/amoget_ticking
	BIN=$(BUILD)/bin tests/cli/run.sh
test-docs: all
	BIN=$(BUILD)/bin tests/docs/run.sh
# Pictures of measurements, and make bench-record, from small samples.
test-bench:
	tests/bench/run.sh
golden: all $(BUILD)/test/amoget_ticking
	BIN=$(BUILD)/bin UPDATE=1 tests/cli/run.sh
# What an outside user sees: headers in every language, exported names, an installed tree.
test-public: all $(BUILD)/lib/internal.a
	BUILD=$(BUILD) CC="$(CC)" LIBS="$(LIBS)" tests/public/run.sh
layers: all
	tests/layers.sh
	tests/rooms.sh
	BUILD=$(BUILD) tests/cycles.sh

# Hours for all of them; FILTER chooses lines of tests/mutants/list.txt.
.PHONY: mutants mutants-check
mutants:
	@BUILD=$(BUILD) tests/mutants/run.sh '$(FILTER)'
# Does each still change one place?
mutants-check:
	@tests/mutants/run.sh check

# The whole test suite under AddressSanitizer and UndefinedBehaviorSanitizer.  Leaks are reported when
# a test's own process ends, which the test runner does not look at: so they are collected in files.
ASAN_LOG := $(BUILD)/asan/report
asan:
	@rm -f $(ASAN_LOG).*
	@ASAN_OPTIONS=log_path=$(abspath $(ASAN_LOG)) $(MAKE) --no-print-directory BUILD=$(BUILD)/asan PEPA_TEST_SCALE=$(or $(PEPA_TEST_SCALE),0.1) TIMEOUT=1200 \
	    CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all" \
	    TESTS="test-unit test-grid-unit test-taag-unit test-property test-fault test-threads test-fuzz test-cli" test
	@if ls $(ASAN_LOG).* >/dev/null 2>&1; then cat $(ASAN_LOG).*; echo "asan: see the reports above" >&2; exit 1; fi
export PEPA_TEST_SCALE

# Threads that share what may be shared; any race that is reported fails it.
tsan:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan CFLAGS="-O2 -g -fsanitize=thread" test-threads

# ---- fuzzing: short and repeatable in the tests, long with libFuzzer ---------------------------

$(BUILD)/test/fuzz_%: $(BUILD)/test/fuzz/fuzz_%.o $(BUILD)/test/fuzz/driver.o $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
FUZZED := $(BUILD)/obj/grid/bsp/predict/trace.o
$(BUILD)/test/fuzz_trace: $(FUZZED)
test-fuzz: $(FUZZERS:%=$(BUILD)/test/%)
	$(BUILD)/test/fuzz_parse $(or $(FUZZ_RUNS),20000) models/*.pepa
	$(BUILD)/test/fuzz_query $(or $(FUZZ_RUNS),20000) tests/fuzz/queries/*.txt
	$(BUILD)/test/fuzz_probe $(or $(FUZZ_RUNS),20000) tests/fuzz/probes/*.txt
	$(BUILD)/test/fuzz_solve $(or $(FUZZ_RUNS),2000) models/*.pepa
	$(BUILD)/test/fuzz_desc $(or $(FUZZ_RUNS),20000) examples/*.amo examples/*.csv tests/cli/models/taag/*.amo
	$(BUILD)/test/fuzz_trace $(or $(FUZZ_RUNS),20000) tests/fuzz/traces/*.trace

FUZZ_SECONDS ?= 600
fuzz:
	$(MAKE) BUILD=$(BUILD)/fuzz CC=clang \
	    CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" fuzz-run
.PHONY: fuzz-run
fuzz-run: $(FUZZED) $(BUILD)/lib/internal.a $(FUZZERS:%=$(BUILD)/test/fuzz/%.o)
	for f in $(FUZZERS); do \
	    $(CC) $(CFLAGS) -fsanitize=fuzzer -o $(BUILD)/test/$$f $(BUILD)/test/fuzz/$$f.o \
	        $(FUZZED) $(BUILD)/lib/internal.a $(LIBS) && \
	    mkdir -p $(BUILD)/corpus/$$f && \
	    $(BUILD)/test/$$f -max_total_time=$(FUZZ_SECONDS) -timeout=30 -rss_limit_mb=4096 \
	        -max_len=4096 $(BUILD)/corpus/$$f models examples tests/fuzz/queries tests/fuzz/probes tests/fuzz/traces || exit 1; \
	done

# The property tests on many more models.
soak:
	$(MAKE) PEPA_TEST_SCALE=$(or $(SCALE),50) TIMEOUT=36000 test-property

# ---- benchmarks -------------------------------------------------------------------------------

$(BUILD)/bin/bench_clock: bench/clock.c $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) -o $@ $<
$(BUILD)/bin/bench_stream: bench/stream.c $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) -O3 $(STD) $(WARN) -o $@ $<
$(BUILD)/bin/bench_floor: bench/floor.c $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) -O3 $(STD) $(WARN) -o $@ $< -lm
$(BUILD)/bin/bench_cores: bench/cores.c $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) -o $@ $< -lpthread
$(BUILD)/bin/bench_chain: bench/chain.c $(HEADERS) $(BUILD)/lib/libpepa.a $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -o $@ $< $(BUILD)/lib/libpepa.a $(LIBS)
$(BUILD)/bin/bench_products: bench/products.c $(HEADERS) $(BUILD)/lib/internal.a $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(INNER) -o $@ $< $(BUILD)/lib/internal.a $(LIBS)
$(BUILD)/bin/bench_mappings: bench/mappings.c $(HEADERS) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -o $@ $< $(BUILD)/lib/libamoget.a \
	    $(BUILD)/lib/libpepa.a $(LIBS) -lpthread
BENCH := $(addprefix $(BUILD)/bin/bench_,clock stream cores chain products floor mappings)
# What there is in bench-explore, bench-analyses and bench-threads is part of bench.
bench: bench-short
bench-short bench-long bench-explore bench-analyses bench-threads: bench-%: all $(BENCH)
	@BUILD=$(BUILD) CC="$(CC)" CFLAGS="$(CFLAGS)" bench/run.sh $*
bench-auto: all $(BUILD)/bin/bench_clock
	@BUILD=$(BUILD) LIMIT="$(LIMIT)" FILTER="$(FILTER)" RESUME="$(RESUME)" bench/auto.sh
bench-record:
	@BUILD=$(BUILD) bench/record.sh

# Predictions against runs on MPI, and how a run adapts: some 15 minutes.
$(BUILD)/bin/bench_predict: bench/predict.c $(HEADERS) $(GRID_LIBS) $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -o $@ $< $(GRID_LIBS) $(LIBS) -lpthread
bench-grid: $(BUILD)/bin/bench_predict $(BUILD)/bin/grid-images $(BUILD)/bin/amoget
	@BUILD=$(BUILD) bench/predict.sh
	@echo "## A processor becomes ten times slower"
	@echo
	@BUILD=$(BUILD) bench/adapt.sh

# Supersteps of BSPlib against supersteps by hand.
.PHONY: bench-bsp
bench-bsp: $(BSP)
	@OMPI_CC="$(CC)" $(BUILD)/bin/bspcc -O2 -o $(BUILD)/bin/bench_bsp bench/bsp.c
	@for p in 2 4 12; do $(BUILD)/bin/bsprun -n $$p $(BUILD)/bin/bench_bsp || exit 1; done

# Over a network that is slow: some 8 minutes.
$(BUILD)/bin/bench_lab: bench/lab.c $(HEADERS) $(GRID_LIBS) $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -o $@ $< $(GRID_LIBS) $(LIBS) -lpthread
.PHONY: bench-lab
bench-lab: $(BUILD)/bin/bench_lab $(BUILD)/bin/grid-images
	@BUILD=$(BUILD) LAB="$(LAB)" CC="$(CC)" bench/lab.sh

# ---- installation -----------------------------------------------------------------------------

# The loader of a program looks into /usr/lib by itself, elsewhere if an rpath says so.
RPATH := $(if $(filter /usr,$(PREFIX)),, -Wl$(comma)-rpath$(comma)$${libdir})
INSTALL_PC = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LIBS)|' \
    -e 's|@RPATH@|$(RPATH)|'
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig \
	    $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man3 \
	    $(DESTDIR)$(PREFIX)/share/man/man5 \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 755 $(addprefix $(BUILD)/bin/,pepa amoget taag bsppredict) $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(HEADERS) $(DESTDIR)$(PREFIX)/include/
	for l in pepa amoget; do \
	    install -m 644 $(BUILD)/lib/lib$$l.a $(DESTDIR)$(PREFIX)/lib/ && \
	    install -m 755 $(BUILD)/lib/lib$$l.so $(DESTDIR)$(PREFIX)/lib/lib$$l.so.$(VERSION) && \
	    ln -sf lib$$l.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/lib$$l.so.0 && \
	    ln -sf lib$$l.so.0 $(DESTDIR)$(PREFIX)/lib/lib$$l.so || exit 1; \
	done
	$(INSTALL_PC) src/pepa.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/pepa.pc
	$(INSTALL_PC) amoget/amoget.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/amoget.pc
	$(if $(BSP),install -m 755 $(BSP_COMMANDS) $(DESTDIR)$(PREFIX)/bin/)
	$(if $(BSP),install -m 644 $(BUILD)/include/bsp.h $(DESTDIR)$(PREFIX)/include/)
	$(if $(BSP),install -m 644 $(BUILD)/lib/libbsp.a $(DESTDIR)$(PREFIX)/lib/)
	$(if $(BSP),$(INSTALL_PC) grid/bsp/bsp.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/bsp.pc)
	$(if $(BSP),install -m 644 doc/bsprun.1 doc/bspcc.1 doc/bspbench.1 $(DESTDIR)$(PREFIX)/share/man/man1/)
	$(if $(BSP),install -m 644 doc/libbsp.3 $(DESTDIR)$(PREFIX)/share/man/man3/)
	install -m 644 doc/pepa.1 doc/amoget.1 doc/bsppredict.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 doc/libpepa.3 doc/libamoget.3 $(DESTDIR)$(PREFIX)/share/man/man3/
	install -m 644 doc/pepa.5 doc/pepa-measures.5 doc/pepa-probes.5 \
	    $(DESTDIR)$(PREFIX)/share/man/man5/
	install -m 644 src/cli/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/pepa
	install -m 644 amoget/cli/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/amoget
	install -m 644 doc/taag.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 grid/taag/cli/completion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/taag
	$(if $(DESTDIR)$(filter /usr /usr/local,$(PREFIX)),,@echo 'Where these are not set already: \
	    PATH=$(PREFIX)/bin:$$PATH PKG_CONFIG_PATH=$(PREFIX)/lib/pkgconfig')

# The library of TAAG, which needs MPI.
.PHONY: install-taag
install-taag: $(BUILD)/lib/libtaag.a $(BUILD)/include/taag.h
	install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig \
	    $(DESTDIR)$(PREFIX)/share/man/man3 $(DESTDIR)$(PREFIX)/share/taag
	install -m 644 $(BUILD)/include/taag.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(BUILD)/lib/libtaag.a $(DESTDIR)$(PREFIX)/lib/
	install -m 644 grid/taag/files/mapping.rng $(DESTDIR)$(PREFIX)/share/taag/
	install -m 644 doc/libtaag.3 $(DESTDIR)$(PREFIX)/share/man/man3/
	$(INSTALL_PC) grid/taag/taag.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/taag.pc

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/include/taag.h $(DESTDIR)$(PREFIX)/lib/libtaag.a \
	    $(DESTDIR)$(PREFIX)/lib/pkgconfig/taag.pc $(DESTDIR)$(PREFIX)/share/man/man3/libtaag.3 \
	    $(DESTDIR)$(PREFIX)/share/taag/mapping.rng
	rm -f $(HEADERS:$(BUILD)/include/%=$(DESTDIR)$(PREFIX)/include/%) \
	    $(DESTDIR)$(PREFIX)/bin/bsppredict $(DESTDIR)$(PREFIX)/share/man/man1/bsppredict.1 \
	    $(DESTDIR)$(PREFIX)/share/man/man1/bspbench.1 \
	    $(DESTDIR)$(PREFIX)/share/man/man5/pepa-measures.5 \
	    $(DESTDIR)$(PREFIX)/share/man/man5/pepa-probes.5
	rm -f $(DESTDIR)$(PREFIX)/bin/taag $(DESTDIR)$(PREFIX)/share/man/man1/taag.1 \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/taag
	rm -f $(patsubst %,$(DESTDIR)$(PREFIX)/%,bin/bspcc bin/bsprun bin/bspbench include/bsp.h lib/libbsp.a \
	    lib/pkgconfig/bsp.pc share/man/man1/bsprun.1 share/man/man1/bspcc.1 share/man/man3/libbsp.3)
	for l in pepa amoget; do \
	    rm -f $(DESTDIR)$(PREFIX)/bin/$$l $(DESTDIR)$(PREFIX)/lib/lib$$l.a $(DESTDIR)$(PREFIX)/lib/lib$$l.so* \
	        $(DESTDIR)$(PREFIX)/lib/pkgconfig/$$l.pc $(DESTDIR)$(PREFIX)/share/man/man1/$$l.1 \
	        $(DESTDIR)$(PREFIX)/share/man/man3/lib$$l.3 $(DESTDIR)$(PREFIX)/share/man/man5/$$l.5 \
	        $(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$l; \
	done

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
