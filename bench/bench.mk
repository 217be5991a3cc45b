# Benchmarks: none is part of a test.

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
# How soon the language server says what is wrong.
.PHONY: bench-lsp
bench-lsp: all
	@PEPA=$(BUILD)/bin/pepa python3 bench/lsp.py
# How soon the workbench answers a key press, in Chromium, and chains of a million states in it.
.PHONY: bench-serve
bench-serve: all
	@BIN=$(BUILD)/bin python3 -B bench/serve.py
bench-record:
	@BUILD=$(BUILD) bench/record.sh

# Predictions against runs on MPI, and how a run adapts: some 15 minutes.
$(BUILD)/bin/bench_predict: bench/predict.c $(HEADERS) $(GRID_LIBS) $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -o $@ $< $(GRID_LIBS) $(LIBS) -lpthread
$(BUILD)/bin/bench_shares: bench/shares.c $(HEADERS) $(BUILD)/lib/internal.a $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(INNER) -o $@ $< $(BUILD)/lib/internal.a $(LIBS)
bench-shared: all $(BUILD)/bin/bench_shares
	BUILD=$(BUILD) bench/shared.sh 2
	BUILD=$(BUILD) bench/shares.sh
# Beside PETSc, which nothing else needs.
PETSC = $(patsubst -I%,-isystem %,$(filter -I% -L% -l%,$(shell pkg-config --cflags --libs PETSc 2>/dev/null)))
$(BUILD)/bin/bench_petsc: bench/petsc.c $(HEADERS) $(BUILD)/lib/libpepa.a $(COMPILE) $(LINK)
	@pkg-config --exists PETSc || { echo 'PETSc is missing: apt-get install libpetsc-real-dev' >&2; exit 1; }
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -o $@ $< $(BUILD)/lib/libpepa.a \
	    $(PETSC) $(LIBS)
.PHONY: bench-petsc
bench-petsc: all $(BUILD)/bin/bench_petsc
	@BUILD=$(BUILD) bench/petsc.sh 2

bench-grid: $(BUILD)/bin/bench_predict $(BUILD)/bin/grid-images $(BUILD)/bin/amoget
	@BUILD=$(BUILD) bench/predict.sh
	@echo "## A processor becomes ten times slower"
	@echo
	@BUILD=$(BUILD) bench/adapt.sh

# Over a network that is slow: some 8 minutes.
$(BUILD)/bin/bench_lab: bench/lab.c $(HEADERS) $(GRID_LIBS) $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,MPICC)$(MPI_CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -o $@ $< $(GRID_LIBS) $(LIBS) -lpthread
$(BUILD)/bin/bench_supersteps: tests/grid/bsp/supersteps.c bench/supersteps_work.c $(BSP)
	@OMPI_CC="$(CC)" $(BUILD)/bin/bspcc -std=c11 -O2 -I. -o $@ $(filter %.c,$^)
.PHONY: bench-lab
bench-lab: $(BUILD)/bin/bench_lab $(BUILD)/bin/bench_supersteps $(BUILD)/bin/grid-images $(BUILD)/bin/bsppredict
	@BUILD=$(BUILD) LAB="$(LAB)" CC="$(CC)" bench/lab.sh
.PHONY: bench-lab-shares
bench-lab-shares: all $(BUILD)/bin/bench_shares
	@BUILD=$(BUILD) LAB="$(LAB)" CC="$(CC)" bench/lab_shares.sh

# The scheduler of TAAG on random grids: some minutes.
$(BUILD)/bin/bench_taag: bench/taag.c $(TAAG_SCHEDULE_OBJ) $(TAAG_FILES_OBJ) $(BUILD)/lib/internal.a $(COMPILE) $(LINK)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(INNER) $(XML_CFLAGS) -o $@ $< \
	    $(TAAG_SCHEDULE_OBJ) $(TAAG_FILES_OBJ) $(BUILD)/lib/internal.a $(LIBS) $(XML_LIBS)
TAAG_SITES := flat,terms,jitter,levels,plane
.PHONY: bench-taag
bench-taag: $(BUILD)/bin/bench_taag
	@{ $< $(TAAG_SITES),random groups,equal,free,wide,mixed,ring,sparse,tree 32 100 2; \
	   $< $(TAAG_SITES) spread,large,far-ring,far-tree 32 100 2; \
	   $< $(TAAG_SITES) spread,far-ring,far-tree 32 1000 1; \
	   $< $(TAAG_SITES) groups,equal,free 64 300 1; \
	   $< $(TAAG_SITES) groups,equal,ring,tree 32 1000 1; \
	   $< terms,levels,plane free,ring,tree 1000 1000 1; } | awk -f bench/taag.awk
	@$< flat,levels mixed,large,sparse,ring,spread,far-ring,far-tree 32 100 10 | awk -f bench/taag.awk
	@CORES=32 $< flat,levels star,wheel,two,masters,binary,mesh,torus,cube,thin,stars,rows 32 100 15 | awk -f bench/taag.awk

# What the Python package adds to calls and sweeps: a minute.
.PHONY: bench-python
bench-python: all $(BUILD)/python/installed
	@$(BUILD)/python/bin/python3 bench/python.py $(BUILD)/bin

# The models against simulations of random grids: ROWS of each kind of program, drawn from SEED.
.PHONY: bench-gum-model
bench-gum-model: $(patsubst %.c,$(BUILD)/obj/%.o,$(GUM_PREDICT_SRC) $(GUM_POLICY_SRC)) $(PREDICT_SRC:%.c=$(BUILD)/obj/%.o) $(GUM_SIM_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/internal.a
	@mkdir -p $(BUILD)/bin
	@$(CC) $(CFLAGS) $(STD) $(WARN) $(INNER) -o $(BUILD)/bin/bench_gum_model bench/gum_model.c $^ $(LIBS)
	@$(BUILD)/bin/bench_gum_model $(or $(ROWS),25) $(or $(SEED),1) $(FEW)
