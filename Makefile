# Everyday commands. `make` alone lists them.
CARGO ?= cargo
# With more at once than cores can carry, pages are so slow that tests of them measure the machine.
export RUST_TEST_THREADS ?= 3
# Without optimisation an errand takes far more of a stack than it does otherwise, and tests run several in one thread.
export RUST_MIN_STACK ?= 16777216

.DEFAULT_GOAL := help
.PHONY: help setup demo test torture check bench clean

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## Install a browser, fonts and a C linker where they are missing
	@scripts/setup

demo: setup ## Do an errand in a shop of its own and ask you before it orders; DEMO=--yes answers for scripts; pictures in demo-out/
	$(CARGO) run --locked -p legwork-cli -- demo --out demo-out $(DEMO)

test: ## Run every test, browser tests included
	@scripts/setup tests
	$(CARGO) test --workspace --locked

torture: ## Run every test with the long counts of the stress tests and every case
	@scripts/setup tests
	LEGWORK_TORTURE=1 $(CARGO) test --workspace --locked

check: ## Formatting, lints, banned crates, licences, sources
	@$(CARGO) deny --version >/dev/null 2>&1 || { echo "make check: cargo-deny is missing; run: cargo install --locked cargo-deny" >&2; exit 1; }
	$(CARGO) fmt --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) deny --locked check bans licenses sources

bench: ## Run the benchmarks (release build)
	@scripts/setup bench
	$(CARGO) run --release --locked -p legwork-bench

clean: ## Remove what builds and demos have made
	$(CARGO) clean
	rm -rf demo-out
