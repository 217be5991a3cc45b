# The manual as a site of plain files.  Where a link leads nowhere, this fails.
site: all
	@./setup.sh pandoc mandoc
	python3 doc/site/site.py $(BUILD)/bin $(BUILD)/site

.PHONY: site
