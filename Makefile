# What a fresh machine needs is Go and a C compiler for the race detector. Everything runs from here.

MODULES := . runtime examples
SPEC    := examples/ledger/openapi.yaml
OUT     := examples/ledger/ledgeridem

# The race detector checks each pointer too, and modernc's SQLite is C that was translated to Go: there that takes
# longer than all else and tells us nothing.
RACE := -race -gcflags='modernc.org/...=-d=checkptr=0'

# Fuzzing takes this long for each target.
FUZZTIME ?= 10s

.PHONY: help demo test live check lint-arch mutants generate fuzz bench soak corpus

# How long the soak puts each store under fault.
SOAK ?= 10m

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

demo: ## the main job, end to end: generate, serve on SQLite, retry, race, kill
	go run ./cmd/idemgen generate --check -o $(OUT) $(SPEC)
	cd examples && go run ./ledger/demo

test: check ## everything: formatting, vet, all tests of the three modules under the race detector
	@for m in . runtime; do \
		echo "== go test -race: $$m"; (cd $$m && go test -race ./...) || exit 1; \
	done
	@echo "== go test -race: examples, one package after the other: each has its own servers"
	@cd examples && go test $(RACE) -p 1 ./...

live: ## the stores on real servers: rules, histories, crashes, faults; none may be skipped
	cd examples && CI=true go test $(RACE) -p 1 ./stores/... ./linear ./faults

corpus: ## public documents beside the repository: annotate, generate, compile, run what is generated
	cd examples && go run ./corpus ../../shared/corpus

soak: ## four servers and 32 clients under random faults, for SOAK
	cd examples && go test -run '^TestSoak$$' -v -parallel 5 -timeout 2h ./faults -soak $(SOAK)

check: ## formatting, vet, and the guardrails of the example
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not gofmt-clean:"; echo "$$unformatted"; exit 1; fi
	@for m in $(MODULES); do echo "== go vet: $$m"; (cd $$m && go vet ./...) || exit 1; done
	$(MAKE) -C examples/ledger lint-arch

lint-arch: ## the guardrails of the example, as its own CI would run them
	$(MAKE) -C examples/ledger lint-arch

mutants: ## forty faults in the example and under it, each of which the generated tests must find
	cd examples && go run ./mutants

generate: ## write the example's generated package again
	go run ./cmd/idemgen generate -o $(OUT) $(SPEC)

fuzz: ## each fuzz target for FUZZTIME
	@for m in $(MODULES); do (cd $$m && for p in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
			echo "== $$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p || exit 1; \
		done; done) || exit 1; done

bench: ## the stores and the generator beside their baselines, in one table, and then the Go benchmarks
	cd examples && go run ./bench
	@for m in $(MODULES); do (cd $$m && go test -run '^$$' -bench . -benchmem ./...) || exit 1; done
