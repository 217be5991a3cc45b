# GUM: the library, the commands, their tests.

# The run-time, with what it needs of grid/core and grid/machine.
GUM_SRC := $(wildcard grid/gum/*.c grid/gum/policy/*.c) grid/gum/predict/profile_write.c \
    $(patsubst %,grid/core/%.c,agree buffer clock finish guard lifecycle liveness peers session termination transport) \
    grid/machine/probe.c
GUMRUN_SRC := $(wildcard grid/gumrun/*.c grid/launch/*.c) $(patsubst %,grid/bsprun/%.c,choose hosts)
# Part of `all` where there is MPI.
GUM := $(if $(HAVE_MPI),$(patsubst %,$(BUILD)/bin/%,gumcc gumrun) $(BUILD)/lib/libgum.a $(BUILD)/include/gum.h)

$(BUILD)/include/gum.h: grid/gum/gum.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@

# Without MPI.
$(BUILD)/obj/grid/gum/policy/%.o: grid/gum/policy/%.c $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) -I. -c $< -o $@

$(BUILD)/obj/grid/gumrun/%.o: grid/gumrun/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -Isrc/cli -Iamoget/cli -c $< -o $@

# Calls of a few nanoseconds: where they begin matters.
$(BUILD)/obj/grid/gum/%.o: grid/gum/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(LOOPS) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -c $< -o $@

$(BUILD)/obj/libgum.o: $(GUM_SRC:%.c=$(BUILD)/obj/%.o)

$(BUILD)/bin/gumcc: grid/gumrun/gumcc.sh
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@ && chmod +x $@

$(BUILD)/bin/gumrun: $(GUMRUN_SRC:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/grid/gum/policy/policy.o $(BUILD)/obj/grid/gum/policy/tables.o \
    $(BUILD)/obj/amoget/cli/description_file.o $(SHARED_OBJ) $(BASE_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread

all: $(GUM)

INSTALLED += $(if $(GUM),$(foreach c,gumcc gumrun,$(BUILD)/bin/$(c)=bin/$(c) doc/$(c).1=share/man/man1/$(c).1) \
    grid/gumrun/completion.bash=$(COMPLETIONS)/gumrun \
    $(BUILD)/include/gum.h=include/gum.h $(BUILD)/lib/libgum.a=lib/libgum.a \
    doc/libgum.3=share/man/man3/libgum.3 grid/gum/gum.pc.in=lib/pkgconfig/gum.pc)

# Programs of users, by gumcc alone.
GUM_PROGRAMS := $(patsubst %,$(BUILD)/test/gum_%,graphs misuse)
$(BUILD)/test/gum_%: tests/grid/gum/%.c $(GUM) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,GUMCC)OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(BUILD)/bin/gumcc $(CFLAGS) -std=c11 \
	    -D_POSIX_C_SOURCE=200809L $(WARN) $(LDFLAGS) -o $@ $<

# The same in simulated time.
GUM_SMPI_OBJ := $(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(filter-out grid/core/guard.c,$(GUM_SRC))) $(BUILD)/obj/grid/core/guard.o
$(BUILD)/smpi/gum_%: $(BUILD)/smpi/obj/tests/grid/gum/%.o $(GUM_SMPI_OBJ) $(LINK)
	$(call say,LD)$(SMPICC) $(CFLAGS) $(LDFLAGS) -s -o $@ $(INPUTS) -lm
$(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(wildcard tests/grid/gum/*.c)): $(BUILD)/include/gum.h
$(patsubst %.c,$(BUILD)/smpi/obj/%.o,$(wildcard tests/grid/gum/*.c)): OUTER += -DSIMULATED
