// SPDX-License-Identifier: MIT

package modulemutants

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/scripts"
)

// branching returns the modules of tests with several blocks, none of them large.
func branching(t testing.TB) (names []string, modules []*Module) {
	t.Helper()
	for _, dir := range []string{"../../shaders/*.spv", "../../../core/spirv/testdata/*.spv"} {
		for _, f := range scripts.Files(t, dir) {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if m := Parse(b); len(b) <= 2*maxModule && len(m.labels) > 3 {
				names, modules = append(names, filepath.Base(f)), append(modules, m)
			}
		}
	}
	return names, modules
}

// TestFlowMutants: the reader refuses exactly the modules with changed control flow that spirv-val refuses. FLOW="10000
// 7" tries that many with seed 7; modules on which the two disagree are written to the folder KEEP.
func TestFlowMutants(t *testing.T) {
	oracle.Need(t, "spirv-val")
	n, seed := 400, uint64(1)
	if s := os.Getenv("FLOW"); s != "" {
		fmt.Sscan(s, &n, &seed)
	}
	names, modules := branching(t)
	valid, refused, other := 0, 0, 0
	for i := range n {
		k := i % len(modules)
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		module := modules[k].FlowMutant(rng)
		name := fmt.Sprintf("%s mutant %d/%d", names[k], seed, i)
		_, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
		var e *spirv.Error
		for _, stage := range []kind.Stage{kind.StageVertex, kind.StageFragment} {
			if errors.As(err, &e) && e.Stage == stage.String() {
				_, err = spirv.Read(module, spirv.Options{Stage: stage})
			}
		}
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%s: %v", name, err)
		}
		judge := oracle.Validate(t, module, "spv1.6")
		switch {
		case err != nil && judge != nil:
			refused++
			continue
		case err == nil && judge == nil:
			valid++
			continue
		case err == nil && (notFlow.MatchString(judge.Error()) || unreached(module, judge.Error())), err != nil &&
			accepted.MatchString(e.Msg):
			other++
			continue
		}
		t.Errorf("%s: the reader: %v; spirv-val: %v", name, err, judge)
		if dir := os.Getenv("KEEP"); dir != "" {
			os.WriteFile(filepath.Join(dir, strings.NewReplacer(" ", "_", "/", "_").Replace(name)+".spv"), module, 0o644)
		}
	}
	t.Logf("of %d mutants %d are valid, %d are refused, %d are invalid for another reason or not supported", n, valid, refused, other)
	if valid < n/10 || refused < n/10 {
		t.Error("the mutations are too wild or too tame")
	}
}

// notFlow are the messages of spirv-val about something other than control flow and dominance. The first is
// also given for branches from unreachable blocks, which are allowed since SPIR-V 1.6, revision 2, and which newer
// versions do not count; TestRefusesFlow of the reader has reachable ones.
var notFlow = regexp.MustCompile(`branches to the loop continue target|with the current execution model|is not listed as an interface|` +
	`Function declarations must appear before`)

// unreached reports whether a message is about a block that is not structurally reachable from the entry of its function,
// or about the continue target of such a block. The rules apply only to reachable blocks (SPIR-V specification 2.2.5,
// "Structurally Reachable"; back edges are defined by a walk from the entry). spirv-val applies some to all loops.
func unreached(module []byte, message string) bool {
	code := Parse(module).code
	next := map[uint32][]uint32{} // by block: its successors, merge block and continue target
	var todo []uint32
	continues := map[uint32][]uint32{} // loop headers by continue target
	label, fn := uint32(0), false
	for _, in := range code {
		switch uint16(in[0]) {
		case opFunction:
			fn = true
		case opLabel:
			if label = in[1]; fn {
				todo, fn = append(todo, label), false
			}
			next[label] = nil
		case opLoopMerge:
			continues[in[2]] = append(continues[in[2]], label)
			next[label] = append(next[label], in[1], in[2])
		case opSelectionMerge, opBranch, opBranchConditional, opSwitch:
			next[label] = append(next[label], in[1:]...) // words that are not labels do no harm
		}
	}
	reached := map[uint32]bool{}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; !reached[b] {
			reached[b] = true
			todo = append(todo, next[b]...)
		}
	}
	for _, m := range named.FindAllStringSubmatch(message, -1) {
		id, _ := strconv.Atoi(m[1])
		for _, b := range append(continues[uint32(id)], uint32(id)) {
			if _, block := next[b]; block && !reached[b] {
				return true
			}
		}
	}
	return false
}

// named matches the ids in messages of spirv-val.
var named = regexp.MustCompile(`'(\d+)\[`)

// accepted matches messages of the reader about modules that spirv-val accepts: unsupported features, and two ways from a
// loop header that meet before the merge block, which newer versions of spirv-val refuse.
var accepted = regexp.MustCompile(`not supported|reached in two ways without a merge`)
