# pepa serve, where libmicrohttpd and jansson are: a program of its own, which runs pepa and amoget.
SERVE_SRC := $(wildcard src/serve/*.c)
SERVE_OBJ := $(SERVE_SRC:%.c=$(BUILD)/obj/%.o)
PAGE := $(sort $(wildcard src/serve/page/*.html src/serve/page/*.css src/serve/page/*.js src/serve/page/*.svg))

$(BUILD)/gen/serve/page.h: src/serve/embed.sh $(PAGE)
	@mkdir -p $(@D)
	$(call say,EMBED)src/serve/embed.sh $(PAGE) >$@
$(BUILD)/obj/src/serve/answer.o: $(BUILD)/gen/serve/page.h
$(SERVE_OBJ): $(BUILD)/obj/%.o: %.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -Isrc -Isrc/cli -I$(BUILD)/gen/serve -c $< -o $@

# Both jansson and what the commands share have a function json_string.
$(BUILD)/obj/serve/tool.o: $(BUILD)/obj/src/cli/tool.o
	@mkdir -p $(@D)
	$(call say,COPY)$(OBJCOPY) --redefine-sym json_string=tool_json_string $< $@

$(BUILD)/bin/pepa-serve: $(SERVE_OBJ) $(BUILD)/obj/serve/tool.o $(patsubst %,$(BUILD)/obj/src/cli/%.o,memory cores) $(BASE_OBJ) $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(SERVE_LIBS) $(LIBS)

all: $(if $(SERVE_LIBS),$(BUILD)/bin/pepa-serve)
INSTALLED += $(if $(SERVE_LIBS),$(BUILD)/bin/pepa-serve=bin/pepa-serve)

# ---- tests ----------------------------------------------------------------------------------

SERVE_UNIT_OBJ := $(call TEST_OBJ,$(wildcard tests/serve/*.c))
SERVE_INNER_OBJ := $(patsubst %,$(BUILD)/obj/src/serve/%.o,allowed guard job request spool tables)
$(BUILD)/test/serve_unit: $(SERVE_UNIT_OBJ) $(SERVE_INNER_OBJ) $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(SERVE_LIBS) $(TEST_LIBS)
# The same where memory runs out.
$(BUILD)/test/serve_fault: $(call TEST_OBJ,$(wildcard tests/serve/fault/*.c)) $(BUILD)/test/fault/memory.o $(BUILD)/obj/fault/mem.o $(SERVE_INNER_OBJ) $(BUILD)/lib/internal.a $(LINK)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(SERVE_LIBS) $(TEST_LIBS)
SERVE_FUZZED := $(patsubst %,$(BUILD)/obj/src/serve/%.o,allowed guard request)
$(BUILD)/test/fuzz_request: $(SERVE_FUZZED)
$(BUILD)/test/fuzz_request: LIBS += $(SERVE_LIBS)

.PHONY: test-serve test-serve-http screenshots
ifneq ($(SERVE_LIBS),)
# Units, and the server as other programs meet it.
test-serve-http: all $(BUILD)/test/serve_unit $(BUILD)/test/serve_fault
	$(BUILD)/test/serve_unit $(RUN_TESTS)
	$(BUILD)/test/serve_fault $(RUN_TESTS)
	BIN=$(BUILD)/bin python3 -B tests/serve/requests_test.py
else
test-serve-http:
	@echo "serve: skipped: no libmicrohttpd or jansson here"
endif
# The page, in Chromium; PICTURES=FOLDER keeps pictures of all views.
test-serve: all
	@if command -v chromedriver >/dev/null && [ -x $(BUILD)/bin/pepa-serve ]; then \
	    BIN=$(BUILD)/bin python3 -B tests/serve/page_test.py; \
	else echo "serve: skipped: no chromedriver (package chromium-driver), or no pepa-serve"; fi
# Pictures of the page for its manual, as SVG of text.
screenshots: all
	BIN=$(BUILD)/bin python3 -B tests/serve/screenshots.py doc
