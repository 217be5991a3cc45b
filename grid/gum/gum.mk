# GUM: the library, the commands, their tests.

# The run-time, with what it needs of grid/core and grid/machine.
GUM_SRC := $(wildcard grid/gum/*.c grid/gum/policy/*.c) grid/gum/predict/profile_write.c \
    grid/gum/activity/log.c grid/gum/activity/write.c \
    $(patsubst %,grid/core/%.c,agree buffer clock decimal finish guard lifecycle liveness peers session termination transport) \
    grid/machine/probe.c
# Part of `all` where there is MPI.
GUM := $(if $(HAVE_MPI),$(patsubst %,$(BUILD)/bin/%,gumcc gumrun) $(BUILD)/lib/libgum.a $(BUILD)/include/gum.h)

$(BUILD)/include/gum.h: grid/gum/gum.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@

# Without MPI.
$(BUILD)/obj/grid/gum/policy/%.o: grid/gum/policy/%.c $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) -I. -c $< -o $@

$(BUILD)/obj/grid/core/decimal.o $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/gum/activity/*.c)): $(BUILD)/obj/%.o: %.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -c $< -o $@

# The command reads and draws what the run-time writes.
GUM_ACTIVITY_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grid/gum/activity/*.c) grid/core/decimal.c)
$(BUILD)/bin/gum: $(GUM_ACTIVITY_OBJ) $(DRAWING_OBJ)

# Calls of a few nanoseconds: where they begin matters.
$(BUILD)/obj/grid/gum/%.o: grid/gum/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(LOOPS) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -c $< -o $@

$(BUILD)/obj/libgum.o: $(GUM_SRC:%.c=$(BUILD)/obj/%.o)

$(BUILD)/bin/gumrun: $(BUILD)/obj/grid/start/gumrun.o $(patsubst %,$(BUILD)/obj/grid/gum/policy/%.o,policy tables lengths predicted) $(START_OBJ) \
    $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread

all: $(GUM)

INSTALLED += $(if $(GUM),$(foreach c,gumcc gumrun,$(BUILD)/bin/$(c)=bin/$(c) doc/$(c).1=share/man/man1/$(c).1) \
    grid/start/completion.bash=$(COMPLETIONS)/gumrun \
    $(BUILD)/include/gum.h=include/gum.h $(BUILD)/lib/libgum.a=lib/libgum.a \
    doc/libgum.3=share/man/man3/libgum.3 grid/gum/gum.pc.in=lib/pkgconfig/gum.pc)

# Programs of users, by gumcc alone.
GUM_PROGRAMS := $(patsubst %,$(BUILD)/test/gum_%,graphs misuse slow)
$(BUILD)/test/gum_%: tests/grid/gum/%.c $(GUM) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,GUMCC)OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(BUILD)/bin/gumcc $(CFLAGS) -std=c11 \
	    -D_POSIX_C_SOURCE=200809L $(WARN) $(LDFLAGS) -o $@ $<

# The same in simulated time.  Processes that wait look at most every 5 ms, not every half: simulations of hours
# end in minutes.
$(BUILD)/smpi/long/clock.o: grid/core/clock.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,SMPICC)$(SMPI_CC) -DMOST_SLEEP=5e-3 -I. -c $< -o $@
GUM_SMPI_OBJ := $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(filter-out grid/core/guard.c grid/core/clock.c,$(GUM_SRC))) \
    $(BUILD)/obj/grid/core/guard.o $(BUILD)/smpi/long/clock.o
$(BUILD)/smpi/gum_%: $(BUILD)/smpi/obj/tests/grid/gum/%.o $(GUM_SMPI_OBJ) $(LINK)
	$(call say,LD)$(SMPICC) $(CFLAGS) $(LDFLAGS) -s -o $@ $(INPUTS) -lm
$(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(wildcard tests/grid/gum/*.c)): $(BUILD)/include/gum.h
$(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(wildcard tests/grid/gum/*.c)): OUTER += -DSIMULATED

.PHONY: test-gum test-gum-commands test-gum-smpi
test-gum: $(GUM) $(GUM_PROGRAMS)
	BUILD=$(BUILD) tests/grid/gum/run.sh
test-gum-commands: $(GUM) $(GUM_PROGRAMS)
	BUILD=$(BUILD) tests/grid/gum/commands.sh
test-gum-smpi: $(addprefix $(BUILD)/smpi/gum_,graphs shapes)
	BUILD=$(BUILD) tests/grid/gum/smpi.sh

# GUM's policies on the grids of its papers, in simulated time, some minutes; then sparks against calls, against
# tasks of oneTBB, which nothing else needs, and their way to another process.
.PHONY: bench-gum bench-gum-sparks
bench-gum: $(GUM) $(BUILD)/smpi/gum_shapes
	@BUILD=$(BUILD) bench/gum.sh
	@$(MAKE) --no-print-directory bench-gum-sparks
bench-gum-sparks: $(GUM)
	@OMPI_CC="$(CC)" $(BUILD)/bin/gumcc -O2 -o $(BUILD)/bin/bench_gum bench/gum.c
	@$(BUILD)/bin/gumrun -n 1 $(BUILD)/bin/bench_gum
	@$(BUILD)/bin/gumrun -n 2 $(BUILD)/bin/bench_gum
	@if echo '#include <tbb/task_group.h>' | $(CXX) -std=c++17 -x c++ -fsyntax-only - 2>/dev/null; then \
	    OMPI_CXX="$(CXX)" $(BUILD)/bin/gumcc -std=c++17 -O2 -o $(BUILD)/bin/bench_gum_tbb bench/gum_tbb.cc -ltbb && \
	    $(BUILD)/bin/gumrun -n 1 $(BUILD)/bin/bench_gum_tbb; \
	else echo 'oneTBB is missing, and is not compared: apt-get install libtbb-dev' >&2; fi

# Table 1 of 2005: with and without a limit on threads, in simulated time, some minutes.
.PHONY: bench-gum-limits
bench-gum-limits: $(BUILD)/smpi/gum_shapes
	@BUILD=$(BUILD) bench/gum_limits.sh

# What a decision of each policy costs.
.PHONY: bench-gum-policy
bench-gum-policy:
	@mkdir -p $(BUILD)/bin
	@$(CC) $(CFLAGS) $(STD) $(WARN) -I. -o $(BUILD)/bin/bench_gum_policy bench/gum_policy.c grid/gum/policy/*.c -lm
	@$(BUILD)/bin/bench_gum_policy

# A million random task graphs; GRAPHS=... for another number.
.PHONY: soak-gum
soak-gum: $(GUM) $(BUILD)/test/gum_graphs $(addprefix $(BUILD)/smpi/gum_,graphs shapes)
	BUILD=$(BUILD) GRAPHS=$(GRAPHS) tests/grid/gum/soak.sh
	BUILD=$(BUILD) LONG=1 tests/grid/gum/smpi.sh

# With allocations that fail on demand.
$(BUILD)/test/gum_memory: tests/grid/gum/memory.c tests/grid/allocations.c tests/grid/allocations.h $(GUM) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,GUMCC)OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(BUILD)/bin/gumcc $(CFLAGS) -std=c11 \
	    -D_POSIX_C_SOURCE=200809L $(WARN) $(LDFLAGS) -o $@ $(filter %.c,$^) \
	    $(foreach f,malloc calloc realloc free,-Wl$(comma)--wrap=$(f))
test-gum: $(BUILD)/test/gum_memory
