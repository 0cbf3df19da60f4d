.PHONY: check lint test deep bench evidence

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

bench:
	python -m benchmarks

# docs/evidence/; needs the data sets in KANOPY_DATA
evidence:
	python -m evidence kactus
	python -m evidence kactus2
	python -m evidence tdd
