# What developers and CI run. The tests of ./tests check that generated/ is
# fresh and that the import arrows hold.

GO      ?= go
TIMEOUT ?= 20m

.PHONY: generate build test bench prove lint shaders

generate:
	$(GO) generate ./...

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o jacquard ./cmd/jacquard

test:
	$(GO) vet ./...
	$(GO) test -timeout $(TIMEOUT) ./...

# Writes the sources and modules of tests/shaders anew from tests/amber.
shaders:
	$(GO) test ./tests/shaders -run TestSources -update
	$(GO) test ./tests/spvops -run TestUsed -update

# For benchstat: make bench COUNT=10 > new.txt
COUNT ?= 1
bench:
	$(GO) test -run '^$$' -bench . -benchmem -count $(COUNT) ./...

# Sends the rewrite rules whose proofs are not in the ledger to z3.
prove:
	$(GO) run ./cmd/jacquard rules prove

lint:
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "not gofmt'ed:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
