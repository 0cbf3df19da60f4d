.PHONY: check lint test steady deep fuzz bench speed evidence

check: lint test

lint:
	ruff check .
	ruff format --check .
	mypy
	lint-imports --no-logo

# also where a library announces that something will change
test:
	python -m pytest -n 2 -W error

# the README's test command 20 times in clean clones, alone and beside busy loops, also in random order: what ever failed
steady:
	python -m benchmarks.steady --times 20

# every test, with 10,000 tables per method and every publishing style: hours
deep:
	KANOPY_DEEP=1 python -m pytest -n 2

# every fuzz target for a minute; guided by coverage where Atheris is installed: pip install -e ".[fuzz]"
fuzz:
	python -m fuzz --seconds 60 --jobs 2

bench:
	python -m benchmarks

# docs/speed.md, from a run of the benchmarks and of other libraries beside kanopy; AGAINST is the commit to compare with
speed:
	python -m benchmarks $(if $(AGAINST),--against $(AGAINST))
	python -m benchmarks.peers
	python -m benchmarks.speed_page

# docs/evidence/: the papers' tables and figures, made again; two or three hours, data sets from KANOPY_DATA or the UCI
# archive, the trees of Adult from KANOPY_DATA. Tables share what they measure through the journals; a journal belongs
# to the code that wrote it, so it is removed first.
JOURNAL = build/evidence
TABLES = kactus-table2 kactus2-table1 kactus2-table2
CLAIMS = kactus2-figures kactus2-ranks
WINS = kactus-table3 kactus-table4 kactus-table5
LEARNERS = c45,nb,logistic,logistic-mode
REPRODUCE = kanopy reproduce -o docs/evidence
evidence:
	rm -rf $(JOURNAL)
	for name in $(TABLES) $(CLAIMS); do \
		$(REPRODUCE) $$name --learners $(LEARNERS) --journal $(JOURNAL) || exit 1; done
	for name in $(TABLES); do \
		$(REPRODUCE) $$name --learners $(LEARNERS) --as-published --journal $(JOURNAL) || exit 1; done
	for name in $(WINS); do \
		$(REPRODUCE) $$name --learners c45,nb,logistic-mode --journal $(JOURNAL) || exit 1; done
	$(REPRODUCE) frontier --journal $(JOURNAL)
	for name in tdd-table3 tdd-errors tdd-scalability clustering-figures id3-figures kactus-scalability; do \
		$(REPRODUCE) $$name || exit 1; done
