# make            build/bin/pepa, amoget and taag, the libraries and headers
# make demo       from a fresh machine: install what is missing, build, solve a model, rank mappings
# make check      from a fresh machine: install what is missing, build, run every test
# make test       build and run every test
# make asan       the tests under AddressSanitizer and UndefinedBehaviorSanitizer
# make grid       build/lib/libgrid.a and the programs that run on MPI
# make demo-grid  an image pipeline that moves its stages when a machine becomes slow
# make test-grid  pipelines on MPI; part of make test, as are
# make test-grid-bsp, test-bsp-commands  BSPlib on MPI, its commands and examples,
# make test-gum, test-gum-commands  GUM on MPI, its commands and examples, and
# make test-grid-smpi, test-gum-smpi  the same on simulated grids
# make test-python  the Python package, installed by pip below build/; part of make test
# make test-mpi  chains that several processes share, on MPI; part of make test, as are
# make test-mpi-measures, test-mpi-errors, test-mpi-random, test-mpi-rankings  answers in time and on unequal machines, what goes
#   wrong, random models, searches for mappings, and
# make test-mpi-kills  work that is killed, and goes on from its checkpoint
# make test-taag  the library of TAAG on MPI and on simulated grids; part of make test
# make tsan       threads that share models and descriptions, under ThreadSanitizer
# make fuzz       libFuzzer (clang) on the readers and on the whole way; FUZZ_SECONDS=600 each
# make mutants    small changes of the program, each of which a test must find; FILTER=regexp
# make test-serve   the workbench of pepa serve in Chromium, where chromium-driver is
# make soak       the property tests on many more models; SCALE=50; all that LONG=1 has tests try; chains shared by more processes;
#                 a million random task graphs of GUM (make soak-gum GRAPHS=...)
# make golden     rewrite the expected outputs of the command line
# make bench      benchmarks of some minutes; make bench-long: larger models, an hour or more
# make bench-explore, bench-analyses, bench-threads  parts of it: finding states; transients and
#                 the like; two threads against one
# make bench-auto   how far auto is from the best forced choice, hours; FILTER=regexp, RESUME=1
# make bench-record  puts what bench, bench-long and bench-auto measured into bench/ and doc/
# make bench-shared  processes that share a chain against one
# make bench-lsp  how soon the language server says what is wrong
# make bench-serve  how soon the workbench answers a key press
# make bench-petsc  the same against PETSc (libpetsc-real-dev), which assembles the matrix
# make bench-python what the Python package adds to calls and sweeps
# make bench-grid predictions against runs on MPI
# make bench-taag   the scheduler on random grids: what is proved, in what time; some minutes
# make bench-nbody  galaxies on TAAG's mappings in simulated time, against its paper
# make bench-bsp  supersteps of BSPlib against supersteps written by hand with MPI
# make bench-gum  GUM's policies on its papers' grids in simulated time; then
# make bench-gum-limits  GUM with a limit on threads
# make bench-gum-policy  what a decision of each policy costs
# make bench-gum-sparks  sparks against calls and tasks of oneTBB (libtbb-dev), and how soon others have them
# make install    PREFIX=/usr/local DESTDIR=, both without white space
# make uninstall  the same
# make dist       build/pepa-VERSION.tar.gz and its checksum, of what is committed
# make site       the manual in build/site, as pages that can be searched
# make deb        packages for Debian in build/deb; make test-deb builds them twice, and tries them in a clean root
# make test-packages  packages of what is compiled already; part of make test, as are
# make test-site, test-tree-sitter  the links of the site, and the grammar for tree-sitter
# make test-tree-sitter-tables  the grammar through tree-sitter's own generator, which npm fetches
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

# pepa serve needs these; the libraries do not.
SERVE_LIBS := $(shell pkg-config --silence-errors --libs libmicrohttpd jansson)

GEN := $(foreach g,pepa query probe,$(BUILD)/gen/$(g).tab.c $(BUILD)/gen/$(g).lex.c)
AMOGET_GEN := $(BUILD)/gen/desc.tab.c $(BUILD)/gen/desc.lex.c
LIB_SRC := $(shell find src/base parser ctmc solvers src/fluid src/measure src/optimise src/fit src/api -name '*.c' | LC_ALL=C sort)
CLI_SRC := $(wildcard src/cli/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/obj/%.o) $(GEN:$(BUILD)/gen/%.c=$(BUILD)/obj/gen/%.o)
# What both programs share.
SHARED_OBJ := $(patsubst %,$(BUILD)/obj/src/cli/%.o,tool cores ending)
# Pictures, for those that draw.
DRAWING_OBJ := $(patsubst %,$(BUILD)/obj/src/cli/%.o,child output picture)
CLI_OBJ := $(filter-out $(SHARED_OBJ),$(CLI_SRC:%.c=$(BUILD)/obj/%.o))
AMOGET_SRC := $(shell find amoget -name '*.c' -not -path 'amoget/cli/*' | LC_ALL=C sort)
AMOGET_OBJ := $(AMOGET_SRC:%.c=$(BUILD)/obj/%.o) $(AMOGET_GEN:$(BUILD)/gen/%.c=$(BUILD)/obj/gen/%.o)
AMOGET_CLI_SRC := $(wildcard amoget/cli/*.c)
# One process, or one of several (src/cli/together.h).
ALONE_OBJ := $(BUILD)/obj/src/cli/alone.o
AMOGET_CLI_OBJ := $(AMOGET_CLI_SRC:%.c=$(BUILD)/obj/%.o) $(ALONE_OBJ)
# Where a short loop begins decides its speed by up to a quarter: at a cache line, whatever is before.
LOOPS := -falign-loops=64
# Loops over long rows of numbers: at -O3, unless CFLAGS has another level than -O2, -O3 or -Ofast.
KERNELS := solvers/blocks/blocks_kernel solvers/blocks/extrapolate solvers/direct/front solvers/direct/factors_solve
$(foreach k,$(KERNELS),$(if $(wildcard $(k).c),,$(error KERNELS names $(k).c, which does not exist)))
ifeq ($(filter-out -O2 -O3 -Ofast,$(lastword $(filter -O%,$(CFLAGS)))),)
$(KERNELS:%=$(BUILD)/obj/%.o): KERNEL_LEVEL := -O3
endif
# What libamoget needs of src/base, which libpepa does not export: memory, texts, diagnostics.
BASE_OBJ := $(filter $(BUILD)/obj/src/base/%,$(LIB_OBJ))
# The same with what it needs of src/base.
TOOL_OBJ := $(SHARED_OBJ) $(patsubst %,$(BUILD)/obj/src/base/%.o,intern mem memo number)

HEADERS := $(patsubst %,$(BUILD)/include/%.h,pepa pepa_measure pepa_transient pepa_simulate pepa_fluid pepa_passage pepa_experiment pepa_optimise pepa_evidence pepa_structure pepa_walk pepa_lump pepa_shared pepa_csl pepa_fit amoget amoget_machine amoget_program)

TEST_LIBS := -lcriterion -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/no_git' -lgmp $(LIBS) -lpthread
TEST_OBJ = $(1:tests/%.c=$(BUILD)/test/%.o)
# One test process at a time per core; criterion isolates each test in a process of its own.
RUN_TESTS := -j$(JOBS) --timeout $(or $(TIMEOUT),300)

# make keeps what it made on the way
.SECONDARY:
.PHONY: all grid setup setup-build demo check test bench bench-short bench-long bench-explore bench-analyses bench-threads bench-record bench-auto bench-grid bench-shared asan tsan fuzz soak golden layers install uninstall clean help
.DELETE_ON_ERROR:
.SUFFIXES:

# One short line per step; V=1 shows the commands.
ifdef V
say =
else
say = @printf '  %-5s %s\n' $(1) $@;
endif

all: $(addprefix $(BUILD)/bin/,pepa amoget) $(foreach l,pepa amoget,$(BUILD)/lib/lib$(l).a $(BUILD)/lib/lib$(l).so) $(HEADERS)

help:
	@sed -n '/^#/!q; s/^# //p' Makefile

setup:
	@./setup.sh
setup-build:
	@./setup.sh build

$(BUILD)/include/%.h: src/%.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@
$(BUILD)/include/%.h: amoget/%.h
	@mkdir -p $(@D)
	$(call say,COPY)cp $< $@

# Objects depend on COMPILE, libraries and programs on LINK: files that hold the compiler and its
# flags, and LINK a checksum of the list of sources.  They are written only when their text changes.
COMPILE := $(BUILD)/flags/compile
LINK := $(BUILD)/flags/link
COMPILE_TEXT = $(CC) $(LOOPS) $(CFLAGS) $(STD) $(WARN) $(INNER) $(MPICC) $(SMPICC)
LINK_TEXT = $(CC) $(CFLAGS) $(LDFLAGS) $(LIBS) $(LD) $(OBJCOPY) $(MPICC) $(SMPICC) $(XML_LIBS) \
    sources $(shell echo $(SOURCES) | cksum)
SOURCES = $(LIB_SRC) $(AMOGET_SRC) $(CLI_SRC) $(LSP_SRC) $(AMOGET_CLI_SRC) $(shell find grid src/mpi -name '*.c' | LC_ALL=C sort) $(TEST_SRC)
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
$(BUILD)/obj/src/cli/picture.o: $(BUILD)/gen/cli/plot_style.h

# ---- objects --------------------------------------------------------------------------------

$(BUILD)/obj/src/cli/%.o: src/cli/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -Isrc -I$(BUILD)/gen/cli -c $< -o $@

$(BUILD)/obj/amoget/cli/%.o: amoget/cli/%.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -Isrc -Isrc/cli -c $< -o $@

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
$(patsubst %,$(BUILD)/obj/lib%.o,pepa amoget bsp taag gum): $(LINK)
	$(call say,LD)$(MERGE) -o $@ $(INPUTS) && $(OBJCOPY) --localize-hidden $@
# With -flto objects hold no machine code yet; GCC makes it here.
MERGE = $(if $(filter -flto%,$(CFLAGS)),\
    $(CC) $(CFLAGS) -r -nostdlib -flinker-output=nolto-rel,$(LD) -r)

$(BUILD)/lib/lib%.a: $(BUILD)/obj/lib%.o $(LINK)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)ar rcs $@ $<

# Both libraries with all their names, for the tests; ONLY: the objects of these names.
INTERNAL_OBJ := $(LIB_OBJ) $(AMOGET_OBJ)
ifdef ONLY
INTERNAL_OBJ := $(foreach object,$(INTERNAL_OBJ),$(if $(filter $(notdir $(object)),$(ONLY)),$(object)))
endif
$(BUILD)/lib/internal.a: $(INTERNAL_OBJ) $(LINK)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)ar rcs $@ $(INPUTS)

$(BUILD)/lib/libpepa.so: $(LIB_OBJ) $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libpepa.so.0 -o $@ \
	    $(INPUTS) $(LIBS)
	@ln -sf libpepa.so $(@D)/libpepa.so.0

# libamoget.so finds libpepa.so beside itself; the one for /usr/lib, where the loader looks, leaves that to the loader.
$(BUILD)/lib/libamoget.so: BESIDE := -Wl$(comma)-rpath$(comma)'$$ORIGIN'
$(BUILD)/lib/libamoget.so $(BUILD)/lib/system/libamoget.so: $(AMOGET_OBJ) $(BASE_OBJ) $(BUILD)/lib/libpepa.so $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libamoget.so.0 $(BESIDE) -o $@ \
	    $(AMOGET_OBJ) $(BASE_OBJ) -L$(BUILD)/lib -lpepa -lpthread -lm
	@ln -sf libamoget.so $(@D)/libamoget.so.0

$(BUILD)/bin/amoget: $(AMOGET_CLI_OBJ) $(TOOL_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread

$(BUILD)/bin/pepa: $(CLI_OBJ) $(TOOL_OBJ) $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS)

COMPLETIONS := share/bash-completion/completions
include src/lsp/lsp.mk grid/grid.mk src/mpi/mpi.mk src/serve/serve.mk grid/taag/taag.mk grid/bsp/bsp.mk grid/gum/predict/predict.mk grid/gum/gum.mk python/python.mk tests/tests.mk bench/bench.mk doc/site/site.mk editors/tree-sitter-pepa/tree-sitter.mk debian/packages.mk

# ---- from a fresh machine -------------------------------------------------------------------

demo: setup-build
	@$(MAKE) --no-print-directory all
	@echo
	$(BUILD)/bin/pepa solve models/pipeline3.pepa
	@echo
	$(BUILD)/bin/amoget examples/pipeline3.amo

check: setup
	@$(MAKE) --no-print-directory test

# ---- installation -----------------------------------------------------------------------------

# Their places are words of commands, of rm -f among them: white space would make several places of one.
ifneq ($(filter install uninstall,$(MAKECMDGOALS)),)
ifneq ($(words <$(DESTDIR)$(PREFIX)>),1)
$(error PREFIX and DESTDIR must not have white space: DESTDIR is "$(DESTDIR)", PREFIX is "$(PREFIX)")
endif
endif

# The loader of a program looks into /usr/lib by itself, elsewhere if an rpath says so.
RPATH := $(if $(filter /usr,$(PREFIX)),, -Wl$(comma)-rpath$(comma)$${libdir})
INSTALL_PC = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LIBS)|' \
    -e 's|@RPATH@|$(RPATH)|'

# Manual pages are installed elsewhere, and bench/ is not: links to them become their texts.
PLAIN_LINKS := sed -E 's/\[([^][]*)\]\(([^()]*\.[1-9]|[^()]*bench\/[^()]*)\)/\1/g'

# What is installed where below PREFIX: FILE=PLACE.
SYSTEM := $(if $(filter /usr,$(PREFIX)),system/)
INSTALLED += $(foreach c,pepa amoget,$(BUILD)/bin/$(c)=bin/$(c) doc/$(c).1=share/man/man1/$(c).1) \
    $(foreach l,pepa amoget,$(BUILD)/lib/lib$(l).a=lib/lib$(l).a doc/lib$(l).3=share/man/man3/lib$(l).3 \
        $(BUILD)/lib/$(if $(filter amoget,$(l)),$(SYSTEM))lib$(l).so=lib/lib$(l).so.$(VERSION)) \
    $(foreach h,$(HEADERS),$(h)=include/$(notdir $(h))) \
    src/pepa.pc.in=lib/pkgconfig/pepa.pc amoget/amoget.pc.in=lib/pkgconfig/amoget.pc \
    $(foreach m,pepa pepa-measures pepa-probes,doc/$(m).5=share/man/man5/$(m).5) \
    src/cli/completion.bash=$(COMPLETIONS)/pepa amoget/cli/completion.bash=$(COMPLETIONS)/amoget
# What examples of the manuals read, and the guides that they name.
INSTALLED += $(foreach f,README.md CHANGELOG.md $(wildcard models/*.pepa doc/*.md doc/*.svg doc/*.ipynb) $(shell find examples -type f),$(f)=share/doc/pepa/$(f))
# Folders that are for nothing else; uninstall removes others only where they are empty.
OWN_FOLDERS := share/doc/pepa share/taag
INSTALLED_TO = $(foreach i,$(INSTALLED),$(DESTDIR)$(PREFIX)/$(lastword $(subst =, ,$(i))))

install: all $(BUILD)/lib/$(SYSTEM)libamoget.so
	@for each in $(INSTALLED); do \
	    from=$${each%=*} to=$(DESTDIR)$(PREFIX)/$${each#*=}; \
	    mkdir -p "$${to%/*}" || exit 1; \
	    case $$from in \
	    *.md) $(PLAIN_LINKS) $$from >"$$to" && chmod 644 "$$to" ;; \
	    *.pc.in) $(INSTALL_PC) $$from >"$$to" && chmod 644 "$$to" ;; \
	    */bin/* | *.so) install -m 755 $$from "$$to" ;; \
	    *) install -m 644 $$from "$$to" ;; \
	    esac || exit 1; \
	    echo "  $$to"; \
	done
	@cd $(DESTDIR)$(PREFIX)/lib && for l in pepa amoget; do \
	    ln -sf lib$$l.so.$(VERSION) lib$$l.so.0 && ln -sf lib$$l.so.0 lib$$l.so || exit 1; done
	$(if $(DESTDIR)$(filter /usr /usr/local,$(PREFIX)),,@echo 'Where these are not set already: \
	    PATH=$(PREFIX)/bin:$$PATH PKG_CONFIG_PATH=$(PREFIX)/lib/pkgconfig')

uninstall:
	rm -f $(INSTALLED_TO) $(foreach l,pepa amoget,$(DESTDIR)$(PREFIX)/lib/lib$(l).so $(DESTDIR)$(PREFIX)/lib/lib$(l).so.0)
	@cd $(DESTDIR)$(PREFIX)/ 2>/dev/null || exit 0; \
	find $(OWN_FOLDERS) -depth -type d -empty -exec rmdir {} ';' 2>/dev/null; \
	rmdir share/man/man[1-9] $(COMPLETIONS) share/bash-completion lib/pkgconfig 2>/dev/null; true

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
