# mk/install.mk -- what `make install` brings beside the program: the manual page and the
# completion of shells, both made from the program's own tables, and the scripts that draw.
#
#? make guides      build/cuckoo_sim.1 and build/completion/, from the program's tables
GUIDES = $(BUILD)/cuckoo_sim.1 $(BUILD)/completion/cuckoo_sim $(BUILD)/completion/_cuckoo_sim

.PHONY: guides install-guides install-scripts
guides: $(GUIDES)

$(BUILD)/cuckoo_sim.1: $(BUILD)/cuckoo_sim
	@$(BUILD)/cuckoo_sim help --man > $@
$(BUILD)/completion/cuckoo_sim: $(BUILD)/cuckoo_sim
	@mkdir -p $(@D)
	@$(BUILD)/cuckoo_sim help --bash > $@
$(BUILD)/completion/_cuckoo_sim: $(BUILD)/cuckoo_sim
	@mkdir -p $(@D)
	@$(BUILD)/cuckoo_sim help --zsh > $@

install: install-guides install-scripts
# What draws: found by `trace --svg` from the program's own place.
install-scripts:
	install -d '$(DESTDIR)$(PREFIX)/share/cuckoo_sim/report'
	install -m 755 plot_results.py draw_diagrams.py '$(DESTDIR)$(PREFIX)/share/cuckoo_sim'
	install -m 644 report/*.py report/*.mplstyle '$(DESTDIR)$(PREFIX)/share/cuckoo_sim/report'
install-guides: guides
	install -d '$(DESTDIR)$(PREFIX)/share/man/man1' \
	    '$(DESTDIR)$(PREFIX)/share/bash-completion/completions' \
	    '$(DESTDIR)$(PREFIX)/share/zsh/site-functions'
	install -m 644 $(BUILD)/cuckoo_sim.1 '$(DESTDIR)$(PREFIX)/share/man/man1/cuckoo_sim.1'
	install -m 644 $(BUILD)/completion/cuckoo_sim \
	    '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/cuckoo_sim'
	install -m 644 $(BUILD)/completion/_cuckoo_sim \
	    '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_cuckoo_sim'
