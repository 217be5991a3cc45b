# The manual as a site of plain files.  Where a link leads nowhere, this fails.
site: all
	@./setup.sh pandoc mandoc
	python3 doc/site/site.py $(BUILD)/bin $(BUILD)/site

# Its links, without the pictures of the gallery, whose commands test-docs runs.
test-site:
	@if command -v pandoc >/dev/null && command -v mandoc >/dev/null; then \
	    python3 doc/site/site.py - $(BUILD)/site-links; \
	else echo "site: skipped: no pandoc or no mandoc here"; fi

.PHONY: site test-site
