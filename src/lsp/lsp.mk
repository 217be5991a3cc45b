# pepa lsp.  It reads trees and tokens, which the libraries do not export: so pepa has these objects
# a second time.
LSP_SRC := $(wildcard src/lsp/*.c)
LSP_OBJ := $(LSP_SRC:%.c=$(BUILD)/obj/%.o)
LSP_INNER := $(filter $(BUILD)/obj/parser/%,$(filter-out $(BUILD)/obj/parser/query/% $(BUILD)/obj/parser/probe/%,$(LIB_OBJ))) \
    $(filter $(BUILD)/obj/gen/pepa.%,$(LIB_OBJ)) $(filter $(BUILD)/obj/amoget/syntax/% $(BUILD)/obj/gen/desc.%,$(AMOGET_OBJ)) $(BASE_OBJ)
LSP_LIBS := -ljansson
# One object, in which no other name is global: src/cli has some of the same.
$(BUILD)/obj/lsp.o: $(LSP_OBJ) $(LSP_INNER) $(LINK)
	$(call say,LD)$(MERGE) -o $@ $(INPUTS) && $(OBJCOPY) --keep-global-symbol=lsp_serve $@
LSP_PARTS := $(BUILD)/obj/lsp.o $(BUILD)/lib/libamoget.a
$(BUILD)/bin/pepa $(BUILD)/bin/pepa-mpi $(BUILD)/test/often_pepa: $(LSP_PARTS)
$(BUILD)/bin/pepa $(BUILD)/bin/pepa-mpi $(BUILD)/test/often_pepa: private LIBS += $(LSP_LIBS)
