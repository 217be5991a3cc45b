# Predictions for GUM programs, without MPI: the models, the command, their tests.
GUM_PREDICT_SRC := $(wildcard grid/gum/predict/*.c)
GUM_POLICY_SRC := $(wildcard grid/gum/policy/*.c)
GUM_CLI_SRC := $(wildcard grid/gum/cli/*.c)

$(GUM_PREDICT_SRC:%.c=$(BUILD)/obj/%.o): $(BUILD)/obj/%.o: %.c $(HEADERS) $(COMPILE)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(STD) $(WARN) $(OUTER) -I. -Isrc -c $< -o $@

$(BUILD)/test/fuzz_profile: $(patsubst %,$(BUILD)/obj/grid/gum/predict/%.o,profile_read profile_write)
