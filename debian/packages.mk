# What is handed on: a tarball of what is committed, and packages for Debian made of it.

DIST := $(BUILD)/pepa-$(VERSION).tar.gz

dist:
	@mkdir -p $(BUILD)
	git archive --format=tar --prefix=pepa-$(VERSION)/ HEAD | gzip -9 -n >$(DIST)
	@cd $(BUILD) && sha256sum $(notdir $(DIST)) >$(notdir $(DIST)).sha256 && cat $(notdir $(DIST)).sha256

deb: dist
	@./setup.sh debhelper dpkg-dev dh-python lintian fakeroot
	debian/build.sh $(DIST) $(BUILD)/deb

test-deb: deb
	@./setup.sh mmdebstrap
	debian/build.sh $(DIST) $(BUILD)/deb-again
	debian/compare.sh $(BUILD)/deb $(BUILD)/deb-again
	debian/try.sh $(BUILD)/deb

# Packages of what is compiled already, used below BUILD: without an administrator, and in less than a minute.
test-packages: all $(BUILD)/lib/system/libamoget.so
	@for each in dpkg-buildpackage dh dh_python3 lintian; do \
	    command -v $$each >/dev/null || { echo "packages: skipped: no $$each here"; exit 0; }; done; \
	rm -rf $(BUILD)/packages && \
	$(MAKE) --no-print-directory install DESTDIR=$(abspath $(BUILD)/packages/tree) PREFIX=/usr >/dev/null && \
	debian/built.sh $(BUILD)/packages/tree $(BUILD)/packages/made && rm -rf $(BUILD)/packages/tree

.PHONY: dist deb test-deb test-packages
