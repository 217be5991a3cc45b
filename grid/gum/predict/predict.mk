# Predictions for GUM programs, without MPI: the models, the command, their tests.
GUM_PREDICT_SRC := $(wildcard grid/gum/predict/*.c)
GUM_POLICY_SRC := $(wildcard grid/gum/policy/*.c)
GUM_CLI_SRC := $(wildcard grid/gum/cli/*.c)

$(GUM_PREDICT_SRC:%.c=$(BUILD)/obj/%.o): $(BUILD)/obj/%.o: %.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -c $< -o $@

$(BUILD)/test/fuzz_profile: $(patsubst %,$(BUILD)/obj/grid/%.o,gum/predict/profile_read gum/predict/profile_write predict/words)

$(GUM_CLI_SRC:%.c=$(BUILD)/obj/%.o): $(BUILD)/obj/%.o: %.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -Isrc/cli -Iamoget/cli -c $< -o $@

$(BUILD)/bin/gum: $(patsubst %.c,$(BUILD)/obj/%.o,$(GUM_CLI_SRC) $(GUM_PREDICT_SRC) $(GUM_POLICY_SRC) grid/predict/words.c) \
    $(BUILD)/obj/amoget/cli/description_file.o $(SHARED_OBJ) $(BASE_OBJ) $(BUILD)/lib/libamoget.a $(BUILD)/lib/libpepa.a $(LINK)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(INPUTS) $(LIBS) -lpthread

all: $(BUILD)/bin/gum

INSTALLED += $(BUILD)/bin/gum=bin/gum doc/gum.1=share/man/man1/gum.1 grid/start/completion.bash=$(COMPLETIONS)/gum
