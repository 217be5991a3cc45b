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

.PHONY: dist deb test-deb
