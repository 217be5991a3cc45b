# The tests, all but those of the run-times on MPI.

TEST_DIRS := base parser ctmc solvers fluid measure optimise fit api amoget
UNIT_SRC := $(foreach d,$(TEST_DIRS),$(wildcard tests/$(d)/*.c)) tests/cli/test_cores.c
PROPERTY_SRC := $(wildcard tests/property/*.c) tests/ctmc/numbers.c
FAULT_SRC := $(wildcard tests/fault/*.c)
THREADS_SRC := $(wildcard tests/threads/*.c)

# What calls the library and compares is not optimised: that takes a third of the time that -O2 takes, and saves three
# times what it costs when the tests run.  What computes for long itself has the flags of the library.
TEST_CFLAGS = $(CFLAGS:-O2=-O0)
$(call TEST_OBJ,$(PROPERTY_SRC) $(THREADS_SRC) $(wildcard tests/fuzz/*.c tests/grid/gum_sim/*.c)): TEST_CFLAGS = $(CFLAGS)

$(BUILD)/test/%.o: tests/%.c $(COMPILE) | $(GEN) $(AMOGET_GEN)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TEST_CFLAGS) $(STD) $(WARN) $(INNER) -Itests -Itests/$(dir $*) -c $< -o $@

# A library in place of the libgit2 that Criterion is linked with, whatever its version.
NO_GIT := $(BUILD)/test/no_git/made
$(NO_GIT): tests/no_git.c $(COMPILE)
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call say,CC)name=$$(ldd "$$($(CC) -print-file-name=libcriterion.so)" | sed -n 's/^[[:space:]]*\(libgit2[^ ]*\).*/\1/p'); \
	    [ -z "$$name" ] || $(CC) -std=c11 $(WARN) -fPIC -shared -Wl,-soname,$$name -o $(@D)/$$name $<
	@touch $@
$(addprefix $(BUILD)/test/,unit property_tests fault_tests grid_unit taag_unit serve_unit serve_fault): | $(NO_GIT)

$(BUILD)/test/unit: $(call TEST_OBJ,$(UNIT_SRC)) $(BUILD)/obj/src/cli/cores.o $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(TEST_LIBS)

# The functions that tests/property/forcing.c replaces.
FORCED := attempt_run attempt_stalls attempt_stalls_by attempt_step budget_allows chain_derive \
    solve_flow solve_blocks search_init search_unfit search_alone diagram_rare_jumps \
    flow_nearly_decomposable settle_groups history_extrapolate history_first blocks_aggregate \
    lumped_guess absorb_gth runner_sweep clock_gettime
$(BUILD)/test/property_tests: $(call TEST_OBJ,$(PROPERTY_SRC)) $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(TEST_LIBS) \
	    $(foreach f,$(FORCED),-Wl$(comma)--wrap=$(f))

$(BUILD)/test/fault_tests: $(call TEST_OBJ,$(FAULT_SRC)) $(BUILD)/obj/fault/mem.o $(TAAG_SCHEDULE_OBJ) $(TAAG_FILES_OBJ) $(LSP_OBJ) $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(TEST_LIBS) $(XML_LIBS) $(LSP_LIBS)

$(BUILD)/test/threads_test: $(call TEST_OBJ,$(THREADS_SRC)) $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -Wl,-Map=$@.map -o $@ $(INPUTS) $(LIBS) -lpthread

# What of the run-times needs no MPI.
GRID_UNIT_OBJ := $(call TEST_OBJ,$(wildcard tests/grid/unit/*.c))
$(GRID_UNIT_OBJ): $(BUILD)/test/%.o: tests/%.c $(HEADERS) $(COMPILE) | $(GEN) $(AMOGET_GEN)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(INNER) $(XML_CFLAGS) -I$(dir $<) -c $< -o $@
# As distributions compile it, whose checks take a longjmp to another stack for a mistake.
$(BUILD)/test/fortified/thread.o: grid/gum/thread.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 $(STD) $(WARN) $(INNER) -c $< -o $@
GUM_SIM_OBJ := $(call TEST_OBJ,$(wildcard tests/grid/gum_sim/*.c))
$(BUILD)/test/grid_unit: $(GRID_UNIT_OBJ) $(GUM_SIM_OBJ) $(patsubst %,$(BUILD)/obj/grid/%.o,bsp/registry bsp/schedule bsp/stacks start/choose gum/pool gum/record) $(BUILD)/test/fortified/thread.o $(TAAG_FILES_OBJ) $(PREDICT_SRC:%.c=$(BUILD)/obj/%.o) $(patsubst %.c,$(BUILD)/obj/%.o,$(GUM_PREDICT_SRC) $(GUM_POLICY_SRC)) $(GUM_ACTIVITY_OBJ) $(BUILD)/lib/libgrid.a $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(TEST_LIBS) $(XML_LIBS)

# amoget, with a clock that does not depend on the machine.
$(BUILD)/test/amoget_ticking: $(BUILD)/test/cli/ticking.o $(AMOGET_CLI_OBJ) $(TOOL_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread -Wl,--wrap=clock_gettime

FUZZERS := fuzz_parse fuzz_query fuzz_probe fuzz_solve fuzz_simulate fuzz_desc fuzz_trace fuzz_xml fuzz_profile fuzz_lsp $(if $(SERVE_LIBS),fuzz_request)
TEST_PROGRAMS := $(addprefix $(BUILD)/test/,unit grid_unit pipes property_tests fault_tests threads_test taag_unit taag_cases $(FUZZERS)) $(BSP_PROGRAMS) $(GUM_PROGRAMS)
# Pipelines on MPI that are against the clock have the machine to themselves.  Others, those in simulated time included,
# run side by side with half of the cores each, the long ones first; their output is kept apart.  Those on MPI go last of
# these, as beside tests that compute they take three times as long: processes that wait for each other take turns with
# these.  First those that mostly wait for programs to start and to end, more of them at a time; then those that compute.
ALONE := test-grid
WAITING := test-taag test-bsp-commands test-gum test-gum-commands test-grid-bsp test-mpi-kills test-mpi-errors
TALKING := test-mpi-measures test-mpi test-mpi-rankings test-mpi-random
ON_MPI := $(WAITING) $(TALKING) $(ALONE)
TESTS := test-property test-tsan test-grid-smpi test-taag-smpi test-gum-smpi test-unit test-fault test-grid-unit \
    test-taag-unit test-threads test-public test-packages test-fuzz test-cli test-lsp test-docs test-bench test-python \
    test-serve-http test-serve test-site test-tree-sitter layers $(ON_MPI)
HALF := $(shell expr '(' $(JOBS) + 1 ')' / 2)
TWICE := $(shell expr 2 '*' $(JOBS))

TEST_SRC = $(UNIT_SRC) $(PROPERTY_SRC) $(FAULT_SRC) $(THREADS_SRC) $(wildcard tests/grid/*.c tests/grid/*/*.c)

.PHONY: $(TESTS)
# Open MPI looks for networks of its own kinds in every process, for a fifth of a second: here there are none, and it
# comes to what is named here.
$(TESTS): export OMPI_MCA_pml := ob1
$(TESTS): export OMPI_MCA_btl := ^openib,ofi
# mpirun would look through PCI, OpenCL and X11 for devices, too, by hwloc's plugins: a fifth of what starting it takes.
$(TESTS): export HWLOC_COMPONENTS := -pci,-linux:pci
$(TESTS): export HWLOC_PLUGINS_PATH := /none
# It starts processes from one thread: a tenth less, again.
$(TESTS): export OMPI_MCA_odls_base_num_threads := 0
# On one host a program's addresses go to its processes in messages instead of a shared file: a tenth less, too.
# On two hosts mpirun then waits for ever.
test-grid-bsp test-mpi-kills test-mpi test-mpi-measures test-mpi-rankings test-mpi-random: export PMIX_MCA_gds := hash
# What tests that run side by side both need is made before them.
SHARED_PROGRAMS = $(BUILD)/lib/system/libamoget.so $(if $(filter %-smpi test-taag,$(TESTS)),$(SMPI_PROGRAMS))
# side_by_side JOBS,TESTS
side_by_side = $(if $2,MAKEFLAGS='$(filter-out -j% --jobserver%,$(MAKEFLAGS))' $(MAKE) --no-print-directory -O -j$1 $2,:)
test: mutants-check all $(TEST_PROGRAMS) $(SHARED_PROGRAMS)
	@$(MAKE) --no-print-directory -O JOBS=$(HALF) $(filter-out $(ON_MPI),$(TESTS))
	@$(call side_by_side,$(TWICE),$(filter $(WAITING),$(TESTS)))
	@$(call side_by_side,$(JOBS),$(filter $(TALKING),$(TESTS)))
	@for each in $(filter $(ALONE),$(TESTS)); do \
	    $(MAKE) --no-print-directory $$each || exit 1; done
	@echo "all tests passed"

# Tests in C make small things by the thousand and free them: the GNU library gives the end of its heap back each time,
# and asking for it again took half of their time.
test-unit test-property test-fault test-grid-unit test-taag-unit test-serve-http: export GLIBC_TUNABLES := \
    glibc.malloc.trim_threshold=1000000000:glibc.malloc.top_pad=16777216:glibc.malloc.mmap_threshold=33554432
# A part of the models of `make soak SCALE=1`: a wrong rule shows on most models that use it, so that
# twice as many find little more, and take minutes.
# Limits on memory hold where the GNU library is as users have it.
test-unit: $(BUILD)/test/unit
	PEPA_TEST_SCALE=$(or $(PEPA_TEST_SCALE),0.4) $< $(RUN_TESTS) --filter '!(memory)/*'
	GLIBC_TUNABLES= $< $(RUN_TESTS) --filter 'memory/*'
test-property: $(BUILD)/test/property_tests
	PEPA_TEST_SCALE=$(or $(PEPA_TEST_SCALE),0.3) $< $(RUN_TESTS)
test-fault: $(BUILD)/test/fault_tests
	$< $(RUN_TESTS)
test-threads: $(BUILD)/test/threads_test
	$<
# Where ThreadSanitizer does not run (some kernels, some compilers), test-threads has to do.
test-tsan: $(BUILD)/test/threads_test
	@mkdir -p $(BUILD)/tsan
	@if echo 'int main(void) { return 0; }' | $(CC) -fsanitize=thread -x c -o $(BUILD)/tsan/probe - && \
	    $(BUILD)/tsan/probe; then $(MAKE) --no-print-directory tsan; \
	else echo "tsan: skipped: no ThreadSanitizer here"; fi
test-grid-unit: $(BUILD)/test/grid_unit
	$< $(RUN_TESTS)
test-grid-smpi: $(addprefix $(BUILD)/smpi/,pipes simulated bsp_conform bsp_simulated bsp_supersteps bsp_bench) $(BUILD)/bin/bsppredict
	BUILD=$(BUILD) tests/grid/smpi.sh
	BUILD=$(BUILD) tests/grid/bsp/smpi/predict.sh
test-cli: all $(BUILD)/test/amoget_ticking
	BIN=$(BUILD)/bin tests/cli/run.sh
# Sessions of a language server with a client.
test-lsp: all
	PEPA=$(abspath $(BUILD)/bin/pepa) python3 -m unittest discover -s tests/lsp
test-docs: all $(BUILD)/python/installed
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
# a test's own process ends, which the test runner does not look at: so they are collected in files.  Remarks on stacks
# are no reports: that processes of a test take turns in one thread (tests/run_together.h), and may end there.
ASAN_REMARKS := doesn't fully support makecontext|__asan_handle_no_return|^False positive error|sanitizers/issues/189$$
ASAN_LOG := $(BUILD)/asan/report
asan:
	@rm -f $(ASAN_LOG).*
	@ASAN_OPTIONS=log_path=$(abspath $(ASAN_LOG)) $(MAKE) --no-print-directory BUILD=$(BUILD)/asan PEPA_TEST_SCALE=$(or $(PEPA_TEST_SCALE),0.1) TIMEOUT=1200 \
	    CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all" \
	    TESTS="test-unit test-grid-unit test-taag-unit test-property test-fault test-threads test-fuzz test-cli test-lsp test-serve-http" test
	@if grep -Ehv "$(ASAN_REMARKS)" $(ASAN_LOG).* 2>/dev/null; then \
	    echo "asan: see the reports above" >&2; exit 1; fi
export PEPA_TEST_SCALE

# Threads that share what may be shared; any race that is reported fails it.  Of the libraries the objects that the same
# program takes without ThreadSanitizer.
tsan: $(BUILD)/test/threads_test
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan CFLAGS="-O0 -g1 -fsanitize=thread" \
	    ONLY="$$(sed -n 's/.*internal\.a(\([^)]*\)).*/\1/p' $<.map | sort -u | tr '\n' ' ')" test-threads

# ---- fuzzing: short and repeatable in the tests, long with libFuzzer ---------------------------

$(BUILD)/test/fuzz_%: $(BUILD)/test/fuzz/fuzz_%.o $(BUILD)/test/fuzz/driver.o $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
FUZZED := $(BUILD)/obj/grid/predict/words.o $(BUILD)/obj/grid/bsp/predict/trace.o $(BUILD)/obj/grid/gum/predict/profile_read.o $(BUILD)/obj/grid/gum/predict/profile_write.o $(GUM_ACTIVITY_OBJ) $(TAAG_FILES_OBJ) $(LSP_OBJ) $(SERVE_FUZZED)
$(BUILD)/test/fuzz_trace: $(BUILD)/obj/grid/bsp/predict/trace.o $(BUILD)/obj/grid/predict/words.o
$(BUILD)/test/fuzz_profile: $(GUM_ACTIVITY_OBJ)
$(BUILD)/test/fuzz_xml: $(TAAG_FILES_OBJ)
$(BUILD)/test/fuzz_xml: LIBS += $(XML_LIBS)
$(BUILD)/test/fuzz_lsp: $(LSP_OBJ)
$(BUILD)/test/fuzz_lsp: private LIBS += $(LSP_LIBS)
test-fuzz: $(FUZZERS:%=$(BUILD)/test/%)
	$(BUILD)/test/fuzz_parse $(or $(FUZZ_RUNS),20000) models/*.pepa tests/fuzz/models/*.pepa
	$(BUILD)/test/fuzz_query $(or $(FUZZ_RUNS),20000) tests/fuzz/queries/*.txt
	$(BUILD)/test/fuzz_probe $(or $(FUZZ_RUNS),20000) tests/fuzz/probes/*.txt
	$(BUILD)/test/fuzz_solve $(or $(FUZZ_RUNS),2000) models/*.pepa
	$(BUILD)/test/fuzz_simulate $(or $(FUZZ_RUNS),4000) tests/fuzz/models/*.pepa models/router.pepa
	$(BUILD)/test/fuzz_desc $(or $(FUZZ_RUNS),20000) examples/*.amo examples/*.csv tests/cli/models/taag/*.amo
	$(BUILD)/test/fuzz_trace $(or $(FUZZ_RUNS),20000) tests/fuzz/traces/*.trace
	$(BUILD)/test/fuzz_xml $(or $(FUZZ_RUNS),20000) tests/fuzz/xml/*.xml
	$(BUILD)/test/fuzz_profile $(or $(FUZZ_RUNS),20000) tests/fuzz/profiles/*
	$(BUILD)/test/fuzz_lsp $(or $(FUZZ_RUNS),10000) tests/fuzz/sessions/*.txt
	$(if $(SERVE_LIBS),$(BUILD)/test/fuzz_request $(or $(FUZZ_RUNS),20000) tests/fuzz/requests/*)

FUZZ_SECONDS ?= 600
fuzz:
	$(MAKE) BUILD=$(BUILD)/fuzz CC=clang \
	    CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" fuzz-run
.PHONY: fuzz-run
fuzz-run: $(FUZZED) $(BUILD)/lib/internal.a $(FUZZERS:%=$(BUILD)/test/fuzz/%.o)
	for f in $(FUZZERS); do \
	    $(CC) $(CFLAGS) -fsanitize=fuzzer -o $(BUILD)/test/$$f $(BUILD)/test/fuzz/$$f.o \
	        $(FUZZED) $(BUILD)/lib/internal.a $(LIBS) $(XML_LIBS) $(LSP_LIBS) $(SERVE_LIBS) && \
	    mkdir -p $(BUILD)/corpus/$$f && \
	    $(BUILD)/test/$$f -max_total_time=$(FUZZ_SECONDS) -timeout=30 -rss_limit_mb=4096 \
	        -max_len=4096 -artifact_prefix=$(BUILD)/corpus/ $(BUILD)/corpus/$$f models examples tests/fuzz/models tests/fuzz/queries tests/fuzz/probes tests/fuzz/traces tests/fuzz/xml tests/fuzz/profiles tests/fuzz/sessions tests/fuzz/requests || exit 1; \
	done

# The property tests on many more models.
soak:
	LONG=1 $(MAKE) PEPA_TEST_SCALE=$(or $(SCALE),50) TIMEOUT=36000 test-property
	LONG=1 $(MAKE) PEPA_TEST_SCALE=1 test-unit test-fault test-taag-unit test-grid-unit test-grid-smpi $(WAITING) $(TALKING)
	$(MAKE) soak-gum
