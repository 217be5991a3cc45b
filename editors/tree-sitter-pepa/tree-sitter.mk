# The grammar for tree-sitter against the parser, where node is; and, with npm, through tree-sitter's own generator.

PEPA_TEXTS := $(sort $(wildcard models/*.pepa tests/fuzz/models/*.pepa tests/cli/models/*.pepa))

.PHONY: test-tree-sitter test-tree-sitter-tables
test-tree-sitter: all
	@if command -v node >/dev/null; then \
	    node editors/tree-sitter-pepa/check.js $(BUILD)/bin/pepa $(PEPA_TEXTS); \
	else echo "tree-sitter: skipped: no node here"; fi

# Some minutes; fetches the generator's source.
test-tree-sitter-tables: all
	editors/tree-sitter-pepa/tables.sh $(BUILD)/tree-sitter $(BUILD)/bin/pepa $(PEPA_TEXTS)
