.PHONY: check lint test deep fuzz bench evidence

check: lint test

lint:
	ruff check .
	ruff format --check .
	mypy
	lint-imports --no-logo

test:
	python -m pytest -n 2

# 10,000 tables per method, every publishing style: hours
deep:
	KANOPY_DEEP=1 python -m pytest tests/properties -n 2

# every fuzz target for a minute; guided by coverage where Atheris is installed: pip install -e ".[fuzz]"
fuzz:
	python -m fuzz --seconds 60 --jobs 2

bench:
	python -m benchmarks

# docs/evidence/: the papers' tables and figures, made again; an hour or two, data sets from KANOPY_DATA or the UCI archive
TABLES = kactus-table2 kactus2-table1 kactus2-table2
evidence:
	for name in $(TABLES); do kanopy reproduce $$name --learners c45,nb,logistic -o docs/evidence || exit 1; done
	for name in $(TABLES); do kanopy reproduce $$name --learners c45,nb,logistic --as-published -o docs/evidence || exit 1; done
	for name in tdd-table3 tdd-errors clustering-figures id3-figures kactus-scalability; do \
		kanopy reproduce $$name -o docs/evidence || exit 1; done
