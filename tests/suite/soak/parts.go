// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"strings"
)

// part is a set of tests that is run in pieces.
type part struct {
	name, what string
	pieces     int
	args       []string                 // arguments of the go command
	env        func(k, of int) []string // for piece k, from 1
	extra      func(k, of int) []string // more arguments for piece k
}

// share returns the setting with which tests run a share of their cases (tests/support/sample).
func share(k, of int) string { return fmt.Sprintf("JACQUARD_SOAK=%d/%d", k, of) }

// shares returns the environment of tests that run a share, with more settings.
func shares(more ...string) func(k, of int) []string {
	return func(k, of int) []string { return append([]string{share(k, of)}, more...) }
}

// seeds returns the environment of a test that runs n programs per piece, with consecutive seeds.
func seeds(name string, n int) func(k, of int) []string {
	return func(k, _ int) []string { return []string{fmt.Sprintf("%s=%d %d", name, n, 1+n*(k-1))} }
}

// test returns the arguments of the go command for tests of some packages.
func test(run string, packages ...string) []string {
	return append([]string{"test", "-count=1", "-timeout", "10h", "-run", run}, packages...)
}

// parts are the parts of make soak. Each piece takes some minutes.
var parts = []part{
	{name: "mutants", what: "every mutant is found by the test of its row", pieces: 64, args: []string{"run", "./tests/suite/mutants"},
		extra: func(k, of int) []string { return []string{fmt.Sprintf("-share=%d/%d", k, of)} }},
	{name: "verify", what: "the corpus, executed after every pass", pieces: 32, args: test("^TestVerifyRun$", "./tests/suite/corpus"),
		env: shares("JACQUARD_CORPUS_ALL=1")},
	{name: "verified", what: "the corpus, compiled with all checks", pieces: 16, args: test("^TestVerified$", "./tests/suite/corpus"),
		env: shares("JACQUARD_CORPUS_ALL=1")},
	{name: "programs", what: "20,000 random programs, executed after every pass", pieces: 100,
		args: test("^TestVerifyRun$", "./tests/suite/random"), env: seeds("VERIFY", 200)},
	{name: "accounts", what: "2,000 random programs on all accounts", pieces: 40, args: test("^TestPrograms$", "./tests/suite/random"),
		env: seeds("PROGRAMS", 50)},
	{name: "disable", what: "every script without each optional pass", pieces: 24,
		args: append(test("^TestEachPassDisabled$|^TestSetsDisabled$", "./tests/suite/whole"), "-args", "-disableevery=1"), env: shares()},
	{name: "piglit", what: "piglit on interpreter and model", pieces: 16, args: test("^TestAllScripts$|^TestAllDraws$", "./tests/suite/piglit"),
		env: shares("JACQUARD_PIGLIT=tgl")},
	{name: "pictures", what: "draws with the corpus on interpreter, lavapipe and model", pieces: 24,
		args: test("^TestPictures$", "./tests/suite/corpus"), env: shares("JACQUARD_CORPUS_ALL=1")},
	{name: "pairs", what: "2,000 random pairs of shaders on the interpreter and lavapipe", pieces: 20,
		args: test("^TestPairs$", "./tests/suite/draw"),
		env:  func(k, _ int) []string { return []string{fmt.Sprintf("PAIRS=100 %d", 100*(k-1))} }},
	{name: "modules", what: "200,000 mutated modules before and after all passes", pieces: 20,
		args: test("^TestMutants$|^TestFlowMutants$", "./tests/suite/modulemutants"),
		env: func(k, _ int) []string {
			return []string{fmt.Sprintf("MODULES=10000 %d", k), fmt.Sprintf("FLOW=1000 %d", k)}
		}},
	{name: "texts", what: "40,000 mutated IR texts through the parser, the validator and the compiler", pieces: 20,
		args: test("^TestTextMutants$", "./tests/suite/textmutants"), env: seeds("TEXTS", 2000)},
	{name: "archives", what: "20,000 damaged Fossilize archives, and as many of zip and tar", pieces: 10,
		args: test("^TestDamagedFossilize$|^TestDamagedPacked$", "./tests/suite/archives"),
		env: func(k, _ int) []string {
			return []string{fmt.Sprintf("FOZ=2000 %d", k), fmt.Sprintf("PACKED=2000 %d", k)}
		}},
	{name: "limits", what: "large inputs", pieces: 1, args: test(".", "./tests/suite/limits"),
		env: func(int, int) []string { return []string{"JACQUARD_LIMITS=1"} }},
	{name: "torture", what: "shaders that are hard to allocate", pieces: 1, args: test("^TestTorture$", "./tests/suite/whole"),
		env: func(int, int) []string { return []string{"JACQUARD_LIMITS=1"} }},
	{name: "sampled", what: "all cases of the other sampled tests", pieces: 16,
		args: test("^(TestScripts|TestSizes|TestWrongRulesAreRefuted|TestCorrectedRulesAreProved|TestProjectRulesAreProved|"+
			"TestGeneratedPlatform|TestCompactAgainstIGA|"+
			"TestFeatures|TestImages|TestImageAtomics|TestSources|TestUnrollKeepsMeaning|"+
			"TestMadeUpMachineLacksRow|TestAmber|TestMachineCode|TestMachineCodeOfScripts|TestImagesOnModel|"+
			"TestInterpreterAgrees|TestFunctions|TestModel|TestWalks|TestSample|TestKnownCounts|TestMistakes)$",
			strings.Fields("./gen ./tests/judge ./core/spirv ./core/match ./gen/internal/prove ./backend/intel/eu/opencl ./tests/shaders "+
				"./core/pass/flow ./gen/internal/isa ./tests/suite/isa ./tests/suite/operators ./tests/suite/precision "+
				"./tests/suite/tree ./tests/suite/corpus ./tests/suite/whole")...), env: shares()},
	{name: "variants", what: "fuzz targets with 20,000 changed seeds each", pieces: 20,
		args: test("^Fuzz", strings.Fields(". ./backend/... ./gen/internal/... ./tests/suite/isa ./tests/suite/modulemutants "+
			"./tests/suite/archives "+
			"./cmd/... ./core/...")...),
		env: func(k, _ int) []string { return []string{fmt.Sprintf("JACQUARD_VARIANTS=1000 %d", k)} }},
}
