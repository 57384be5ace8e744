// SPDX-License-Identifier: MIT

package limits

import (
	"os"
	"slices"
	"strconv"
)

func itoa(n uint32) string { return strconv.Itoa(int(n)) }

// input is a family of inputs, by size.
type input struct {
	name string
	make func(n int) []byte
	ext  string // extension of the file's name
	args string // the subcommand that reads it, and its flags
	big  int    // size of an input of at most about 20 MB
	// small is a size such that the work is counted at this size and at four times this size; 0 means a quarter of big,
	// at most 250; -1 means none, since the size is an exponent.
	small int
}

// long reports whether make limits runs the test, with all inputs at their full sizes.
func long() bool { return os.Getenv("JACQUARD_LIMITS") != "" }

// size returns the size of an input: big in make limits, or if small is negative, and otherwise a smaller one.
func (in *input) size() int {
	if long() || in.small < 0 {
		return in.big
	}
	return max(in.big/16, 1)
}

// counted are the inputs whose work is counted in every run of the tests, one of each kind.
var counted = []string{
	"loops", "calls", "returns", "copies, private", "access chains", "text, additions", "assembly, adds", "script, copies", "VkScript, buffers",
}

func of(class uint32, f func(int, uint32) []byte) func(int) []byte {
	return func(n int) []byte { return f(n, class) }
}

func structs(class uint32, null bool) func(int) []byte {
	return func(n int) []byte { return nestedStructs(n, class, null) }
}

var inputs = []input{
	{"switch", switchCases, ".spv", "compile -o /dev/null", 30000, 60},
	{"switch of stores", switchStores, ".spv", "compile -o /dev/null", 30000, 60},
	{"switch with a phi", switchPhi, ".spv", "compile -o /dev/null", 30000, 60},
	{"additions", additions, ".spv", "compile -o /dev/null", 1000000, 0},
	{"mixed operations", mixed, ".spv", "compile -o /dev/null", 1000000, 0},
	{"doubling calls", doubling, ".spv", "compile -o /dev/null", 17, -1},
	{"doubling calls 60", doubling, ".spv", "compile -o /dev/null", 60, -1},
	{"calls", calls, ".spv", "compile -o /dev/null", 1000000, 0},
	{"functions", functions, ".spv", "compile -o /dev/null", 100000, 0},
	{"ifs", ifs, ".spv", "compile -o /dev/null", 100000, 60},
	{"ifs of a variable", ifVars, ".spv", "compile -o /dev/null", 100000, 60},
	{"ifs, verified", ifs, ".spv", "compile --verify -o /dev/null", 50000, 60},
	{"nested ifs", nestedIfs, ".spv", "compile -o /dev/null", 1000, 0},
	{"loops", loops, ".spv", "compile -o /dev/null", 60000, 60},
	{"nested loops", nestedLoops, ".spv", "compile -o /dev/null", 500, 0},
	{"leaves", leaves, ".spv", "compile -o /dev/null", 100000, 60},
	{"leaves, read", leaves, ".spv", "opt --passes= -o /dev/null", 100000, 5000},
	{"leaves, dominance", leaves, ".spv", "opt --passes cse -o /dev/null", 100000, 5000},
	{"leaves, frontiers", leaves, ".spv", "opt --passes vars_to_ssa -o /dev/null", 100000, 5000},
	{"returns", returns, ".spv", "compile -o /dev/null", 100000, 60},
	{"pressure", pressure, ".spv", "compile -o /dev/null", 100000, 400},

	{"nested structs, private", structs(classPrivate, false), ".spv", "compile -o /dev/null", 200, 0},
	{"nested structs 20, private", structs(classPrivate, false), ".spv", "compile -o /dev/null", 20, -1},
	{"nested structs, function", structs(classFunction, false), ".spv", "compile -o /dev/null", 200, 0},
	{"nested structs, shared", structs(classWorkgroup, false), ".spv", "compile -o /dev/null", 200, 0},
	{"nested structs 13, shared null", structs(classWorkgroup, true), ".spv", "compile -o /dev/null", 13, -1},
	{"nested structs 200, shared null", structs(classWorkgroup, true), ".spv", "compile -o /dev/null", 200, 0},
	{"nested structs, null", structs(classPrivate, true), ".spv", "compile -o /dev/null", 200, 0},
	{"nested structs 15, null", structs(classPrivate, true), ".spv", "compile -o /dev/null", 15, -1},
	{"nested structs 29, null", structs(classFunction, true), ".spv", "compile -o /dev/null", 29, -1},
	{"nested buffer", nestedBuffer, ".spv", "compile -o /dev/null", 200, 0},
	{"nested buffer 14", nestedBuffer, ".spv", "compile -o /dev/null", 14, -1},
	{"nested buffer 29", nestedBuffer, ".spv", "compile -o /dev/null", 29, -1},
	{"copies, function", of(classFunction, copies), ".spv", "compile -o /dev/null", 30000, 0},
	{"copies, private", of(classPrivate, copies), ".spv", "compile -o /dev/null", 1 << 30, 0},
	{"copies, shared", of(classWorkgroup, copies), ".spv", "compile -o /dev/null", 8000, 0},
	{"copies, buffer", of(classStorageBuffer, copies), ".spv", "compile -o /dev/null", 60000, 0},
	{"copies, huge buffer", of(classStorageBuffer, copies), ".spv", "compile -o /dev/null", 1 << 29, 0},
	{"huge array", of(classPrivate, hugeArray), ".spv", "compile -o /dev/null", 1 << 30, 0},
	{"array 16000", of(classPrivate, hugeArray), ".spv", "compile -o /dev/null", 8000, 0},
	{"huge shared array", of(classWorkgroup, hugeArray), ".spv", "compile -o /dev/null", 1 << 30, 0},
	{"shared array 16000", of(classWorkgroup, hugeArray), ".spv", "compile -o /dev/null", 8000, 0},
	{"constants", constants, ".spv", "compile -o /dev/null", 1000000, 0},
	{"constants 16000", constants, ".spv", "compile -o /dev/null", 16000, 0},
	{"rows of nulls", nullRows, ".spv", "compile -o /dev/null", 60000, 0},
	{"decoration groups", groups, ".spv", "compile -o /dev/null", 300000, 0},
	{"specialization constants", specOps, ".spv", "compile -o /dev/null", 800000, 0},
	{"members", members, ".spv", "compile -o /dev/null", 60000, 0},
	{"variables", variables, ".spv", "compile -o /dev/null", 150000, 0},
	{"buffers", buffers, ".spv", "compile -o /dev/null", 100000, 0},
	{"descriptors", descriptors, ".spv", "compile -o /dev/null", 1<<30 - 1, 0},
	{"entry points", entries, ".spv", "compile --entry main -o /dev/null", 200000, 0},
	{"inserts", inserts, ".spv", "compile -o /dev/null", 800000, 0},
	{"indirect", indirect, ".spv", "compile -o /dev/null", 100000, 0},
	{"tables", tables, ".spv", "compile -o /dev/null", 200000, 0},
	{"divisions", divisions, ".spv", "compile -o /dev/null", 400000, 60},
	{"tanh", func(n int) []byte { return ext(n, 21) }, ".spv", "compile -o /dev/null", 800000, 0},
	{"asin", func(n int) []byte { return ext(n, 16) }, ".spv", "compile -o /dev/null", 800000, 0},
	{"inverses", inverses, ".spv", "compile -o /dev/null", 800000, 60},
	{"barriers", barriers, ".spv", "compile -o /dev/null", 300000, 0},
	{"unreachable blocks", unreachable, ".spv", "compile -o /dev/null", 1500000, 0},
	{"fallthroughs", fallthroughs, ".spv", "compile -o /dev/null", 30000, 60},
	{"one case", sharedCase, ".spv", "compile -o /dev/null", 32000, 0},
	{"nested switches", nestedSwitches, ".spv", "compile -o /dev/null", 1000, 60},
	{"many live", manyLive, ".spv", "compile -o /dev/null", 10000, 60},
	{"names", names, ".spv", "compile -o /dev/null", 19000000, 0},
	{"access chains", chains, ".spv", "compile -o /dev/null", 20000, 0},
}

func init() { inputs = slices.Concat(inputs, texts, codes, scripts) }
