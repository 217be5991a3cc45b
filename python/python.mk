# The Python package: in an environment of its own, below BUILD, for its tests and those of documents.

# Not the first one on the PATH, which may lack the packages that setup.sh installs.
PYTHON ?= /usr/bin/python3
PYTHON_SRC := $(wildcard python/*.py python/*.toml python/pepa/*)

# The sources are copied, since building leaves files beside them.
$(BUILD)/python/installed: $(PYTHON_SRC) $(HEADERS) | $(BUILD)/lib/libpepa.so $(BUILD)/lib/libamoget.so
	@rm -rf $(BUILD)/python/source && mkdir -p $(BUILD)/python/source/pepa
	$(call say,VENV)$(PYTHON) -m venv --system-site-packages --without-pip $(BUILD)/python
	@cp python/*.py python/*.toml $(BUILD)/python/source && cp python/pepa/*.* $(BUILD)/python/source/pepa
	$(call say,PIP)PEPA_ROOT=$(abspath $(BUILD)) $(BUILD)/python/bin/python3 -m pip install -q --no-build-isolation \
	    --no-index --no-deps --force-reinstall $(BUILD)/python/source
	@touch $@

.PHONY: test-python
test-python: $(BUILD)/python/installed
	PYTHONDONTWRITEBYTECODE=1 PEPA_TEST_ROOT=$(abspath $(BUILD)) $(BUILD)/python/bin/python3 -m pytest -q -p no:cacheprovider python/tests
