# pepa serve, where libmicrohttpd and jansson are: a program of its own, which runs pepa and amoget.
SERVE_LIBS := $(shell pkg-config --silence-errors --libs libmicrohttpd jansson)
SERVE_SRC := $(wildcard src/serve/*.c)
SERVE_OBJ := $(SERVE_SRC:%.c=$(BUILD)/obj/%.o)
PAGE := $(sort $(wildcard src/serve/page/*.html src/serve/page/*.css src/serve/page/*.js))

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
