# SPDX-License-Identifier: MIT

# What developers and CI run. The tests of tests/suite/tree check that generated/ is
# fresh and that the analyzers of tests/lint find nothing.

GO      ?= go
TIMEOUT ?= 30m

.PHONY: generate build test fuzz foldtest bench prove lint shaders corpus piglit mutants mutate flow rules rulemutants freeze limits random pairs pictures judge compile-cpu ablation disable verify soak marks release rename e2e

generate:
	$(GO) generate ./...

build:
	CGO_ENABLED=0 $(GO) build -trimpath -o jacquard ./cmd/jacquard

# The files of a release of the commit that is checked out, in dist/: archives with static binaries, WebAssembly, manual
# pages and completions, a list of components, and SHA256SUMS. Two builds with the same Go have the same bytes.
release:
	$(GO) run ./tools/release

# Changes the path of the module everywhere: make rename MODULE=example.org/jacquard
rename:
	$(GO) run ./tools/rename -module "$(MODULE)"
	$(GO) generate ./...

# The tests that take minutes because they build everything or start services: a whole release, twice; an array job of a
# Slurm on this machine, which root installs if it is missing.
e2e: export JACQUARD_E2E = 1
e2e:
	.ci/slurm
	$(GO) test ./tests/suite/release ./tests/suite/arrays -count 1 -v -timeout 60m

# Compilers and tests are short-lived processes: fewer collections of garbage save a third of their CPU time.
test: export GOGC = 400
test:
	$(GO) vet ./...
	$(GO) test -vet=off -timeout $(TIMEOUT) ./...

# Runs every fuzz target for a while, guided by coverage; make test runs them with changed copies
# of their seeds (tests/support/variants): make fuzz FUZZTIME=10m FUZZ=Assemble. Failing
# inputs are written to the testdata/fuzz of their package.
FUZZTIME ?= 30s
FUZZ     ?=
fuzz:
	@grep -roE '^func Fuzz[A-Za-z0-9]*$(FUZZ)[A-Za-z0-9]*' --include='*_test.go' . | sort | while IFS=: read -r file name; do \
		echo "$${file%/*} $${name#func }"; \
		out=$$($(GO) test "$${file%/*}" -run '^$$' -fuzz "^$${name#func }$$" -fuzztime $(FUZZTIME) </dev/null 2>&1) || { echo "$$out"; exit 1; }; \
	done

# Compares the constant folder with independent definitions: a million random
# vectors per opcode, all combinations of corner values, with and without fused
# arithmetic in the compiler's own code.
VECTORS ?= 1000000
foldtest:
	@for v in v1 v3; do \
		echo "GOAMD64=$$v"; \
		GOAMD64=$$v $(GO) test ./core/num ./gen/internal/foldtest -count=1 || exit 1; \
		GOAMD64=$$v $(GO) test ./tests/suite/fold -count=1 -timeout 3h -vectors $(VECTORS) -all || exit 1; \
	done

# Rewrites the sources and modules of tests/shaders from tests/amber.
shaders:
	$(GO) test ./tests/shaders -run TestSources -update
	$(GO) test ./tests/suite/opcodes -run TestUsed -update

# Checks the whole public corpus and rewrites tests/suite/corpus/report.md.
corpus:
	JACQUARD_CORPUS_ALL=1 $(GO) test ./tests/suite/corpus -run 'TestAllScripts|TestFrozen' -count 1 -timeout 4h

# Rewrites the hashes of the shaders' code, after an intended change of code. The
# commit says why.
freeze:
	$(GO) test ./tests/suite/whole -run TestCounts -count 1 -update
	$(GO) test ./tests/bench -run 'TestReadme|TestMarks' -count 1 -args -update
	JACQUARD_CORPUS_ALL=1 FROZEN=update $(GO) test ./tests/suite/corpus -run TestFrozen -count 1 -timeout 30m

# Runs large inputs, each with a lot of one thing, and reports time and memory;
# counts the statements executed for an input and for one four times as large;
# compares time and memory at 1,000, 10,000 and 100,000 instructions. Compiles the
# shaders that are hard to allocate, each within two seconds.
limits:
	JACQUARD_LIMITS=1 $(GO) test ./tests/suite/limits -count 1 -v -timeout 60m
	JACQUARD_LIMITS=1 $(GO) test ./tests/suite/whole -run TestTorture -count 1 -v -timeout 60m

# Generates random programs and runs each on the interpreter, the model, as C and on
# lavapipe: make random PROGRAMS="2000 7" runs 2000 from seed 7; make test runs
# 28 of them, and 97 with CI=true. Programs with different results are reduced and
# written to the directory KEEP, if set; PROFILE selects one profile. Every other program is compiled without a
# random set of the optional passes, every one with LEAVEOUT=all. IMAGES programs access
# storage images; make test runs 16 of them.
PROGRAMS ?= 200 1
IMAGES ?= 200
random:
	IMAGES=$(IMAGES) $(GO) test ./tests/suite/whole -run TestRandomImages -count 1 -timeout 10h
	PROGRAMS="$(PROGRAMS)" $(GO) test ./tests/suite/random -run TestPrograms -count 1 -v -timeout 10h

# Draws with random pairs of a vertex and a fragment shader on the interpreter, on lavapipe and on the model:
# make pairs PAIRS="1000 7" compares a thousand from number 7 on. Failing scripts are written to
# the directory KEEP, if set.
PAIRS ?= 300 0
pairs:
	PAIRS="$(PAIRS)" $(GO) test ./tests/suite/draw -run TestPairs -count 1 -v -timeout 2h

# Draws with all vertex and fragment shaders of the corpus on the interpreter and on lavapipe, one in ten
# also on the model; MODULE="package name" only with those whose names start so.
pictures:
	JACQUARD_CORPUS_ALL=1 $(GO) test ./tests/suite/corpus -run TestPictures -count 1 -v -timeout 2h

# Compiles the corpus with all checks of --verify, and executes it and PROGRAMS random programs after every pass of the IR, where what they compute
# has to stay the same.
verify:
	JACQUARD_CORPUS_ALL=1 $(GO) test ./tests/suite/corpus -run 'TestVerifyRun|TestVerified' -count 1 -v -timeout 4h
	VERIFY="$(PROGRAMS)" $(GO) test ./tests/suite/random -run TestVerifyRun -count 1 -v -timeout 10h

# Runs all of piglit's compute tests, and those of vertex and fragment shaders that draw and probe, on the
# interpreter and on the model of each of MACHINES at every width; UPDATE=1 rewrites the lists of
# those that do not pass in tests/suite/piglit.
MACHINES ?= tgl
piglit:
	JACQUARD_PIGLIT="$(MACHINES)" $(GO) test ./tests/suite/piglit -run TestAllScripts -count 1 -v -timeout 1h

# Changes modules at random, instruction by instruction, and compares their results
# before and after all passes: make mutate MODULES="1000000 7" runs a million with
# seed 7. Failing modules are written to the directory KEEP, if set.
MODULES ?= 200000 2
mutate:
	MODULES="$(MODULES)" $(GO) test ./tests/suite/modulemutants -run TestMutants -count 1 -v -timeout 10h

# Changes the control flow of modules at random and compares what the reader refuses with what spirv-val
# refuses: make flow FLOW="100000 7" runs that many with seed 7, make test 400 with seed 1. Those that are judged
# differently are written to the directory KEEP, if set. Run without a difference: "400 1", "500 5".
FLOW ?= 20000 2
flow:
	FLOW="$(FLOW)" $(GO) test ./tests/suite/modulemutants -run TestFlowMutants -count 1 -v -timeout 10h

# Breaks the compiler in one place at a time, as described by the rows of tests/suite/mutants,
# and reports the test that found it: make mutants NAMES="equal_.* select_ishr_unsigned". MOVE=1
# only updates the rows whose code or test has moved.
NAMES ?=
MOVE  ?=
mutants:
	$(GO) run ./tests/suite/mutants $(if $(MOVE),-move) $(NAMES)

# Runs all cases of the tests of which make test runs only samples. Finished pieces are recorded: it may be stopped, and
# resumes later. SOAK is the share that this machine runs; the summary is tests/suite/soak/report.md.
SOAK  ?= 1/1
PARTS ?=
soak:
	$(GO) run ./tests/suite/soak -share $(SOAK) -parts "$(PARTS)"

# Runs machine code of this compiler and of Mesa's on the model and rewrites the reports;
# JACQUARD_PEER is the command that runs the peer (tests/judge/doc.go).
judge:
	$(GO) run ./tests/judge -o tests/bench/judge.md
	$(GO) run ./tests/judge -target dg2 -o tests/bench/dg2.md
	$(GO) run ./tests/judge -target lnl -o tests/bench/lnl.md
	$(GO) run ./tests/judge -draws -n 100 -o tests/bench/draws.md
	$(GO) run ./tests/judge -vertices -set samples,corpus -n 300 -o tests/bench/vertices.md
	$(GO) run ./tests/judge -vertices -covered -o tests/bench/covered.md

# Compares the CPU time of compiling with Mesa's, module by module.
compile-cpu:
	$(GO) run ./tests/judge -compile
	$(GO) run ./tests/judge -compile -draws
	$(GO) run ./tests/judge -compile -vertices -set samples,corpus

# What the code loses without each optional pass, and what compiling it then takes; rewrites the
# table of tests/bench/ablation.md.
ablation:
	$(GO) run ./tests/judge -ablation -n 100 -o tests/bench/ablation.md

# Every script of tests/amber on the model without each optional pass; make test runs one in 40.
disable:
	$(GO) test ./tests/suite/whole -run TestEachPassDisabled -count=1 -timeout 2h -disableevery 1

# Rewrites testdata/rules.txt: how often each rewrite rule fires on the shaders of
# the tests.
rules:
	$(GO) test ./tests/suite/whole -run TestRulesKeepShaders -update

# Marks the reports that were made on other sources than these as stale, and lists what each was made on.
marks:
	$(GO) test ./tests/bench -run TestMarks$$ -count=1 -v -args -update

# For benchstat: make bench COUNT=10 > new.txt
COUNT ?= 1
bench:
	$(GO) test -run '^$$' -bench . -benchmem -count $(COUNT) ./...

# Sends the rewrite rules and selection rows whose proofs are not in the ledger to z3; tests
# division by every 16-bit divisor.
prove:
	$(GO) run ./gen/prove
	ALL_DIVISORS=1 $(GO) test ./core/pass/values -run 'TestDivConst|TestMultiplier'

# Changes 300 rules in one place each, and selection rows 3000 times; wrong ones must
# be detected. The tests do it with 60 and 200.
rulemutants:
	$(GO) test ./gen/internal/prove -run TestMutants -mutants 300 -timeout 60m -v
	$(GO) test ./gen/internal/selectgen -run TestMutants -mutants 3000 -timeout 60m -v

lint:
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "not gofmt'ed:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	GOARCH=386 $(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) vet -vettool=$$($(GO) tool -n lint) ./...
	$(GO) run ./tests/lint/prose
	$(GO) run ./tools/license
	@if command -v taplo >/dev/null; then taplo fmt --check; else echo "taplo is not installed: the format of the tables is not checked"; fi
