// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/legal"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/spv"
	"jacquard.example/tests/support/stages"
)

// shape writes the tree of control flow: blocks as ";", ifs as "{…|…}", loops as
// "[…]". It fails where a list does not start and end with a block, or where two
// blocks are neighbors: each branch and each loop has a separate block where it joins.
func shape(t *testing.T, s *ir.Shader, first, parent ir.Node, depth int, out *strings.Builder) {
	block := false
	for n := first; n != 0; n = s.NextNode(n) {
		if is := s.NodeKind(n) == ir.NodeBlock; is == block || s.Parent(n) != parent || loopDepth(s, n) != depth {
			t.Errorf("node %d: block %v behind block %v, parent %d, %d loops deep, not %d", n, is, block, s.Parent(n), loopDepth(s, n),
				depth)
		}
		switch block = s.NodeKind(n) == ir.NodeBlock; s.NodeKind(n) {
		case ir.NodeBlock:
			out.WriteByte(';')
		case ir.NodeIf:
			out.WriteByte('{')
			shape(t, s, s.Then(n), n, depth, out)
			out.WriteByte('|')
			shape(t, s, s.Else(n), n, depth, out)
			out.WriteByte('}')
		case ir.NodeLoop:
			out.WriteByte('[')
			shape(t, s, s.Body(n), n, depth+1, out)
			out.WriteByte(']')
		}
	}
	if !block {
		t.Errorf("a list of nodes does not end with a block")
	}
}

// forPasses returns shaders by name: the modules' shaders, and shaders written as text for passes that find nothing to
// do in the reader's output.
func forPasses(t *testing.T) map[string]*ir.Shader {
	t.Helper()
	out := map[string]*ir.Shader{}
	for name, words := range modules(t) {
		s, err := spirv.Read(spv.Bytes(words), spirv.Options{Stage: kind.StageCompute})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = s
	}
	files, err := filepath.Glob("testdata/passes/*.jir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no shaders for passes (%v)", err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if out[f], err = text.Parse(src); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		if again := text.Print(out[f]); !bytes.Equal(again, src) {
			t.Errorf("%s prints as\n%s", f, again)
		}
	}
	return out
}

// TestR01PassesKeepTheTree: every pass changes some shader, and after every pass over
// every shader the control-flow tree is well formed. A pass that reports no change has
// made none, and nothing remains that it must remove. Features that the target lacks
// are rejected.
func TestR01PassesKeepTheTree(t *testing.T) {
	all := forPasses(t)
	for _, sh := range stages.Shaders(t) {
		s, err := spirv.Read(sh.Module, spirv.Options{Stage: sh.Stage})
		if err != nil {
			t.Fatal(sh.Name, err)
		}
		all[sh.Name] = s
	}
	changes, lacks, shapes := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			s := all[name]
			before := text.Print(s)
			c := pass.New(s)
			c.Options = pass.Options{Target: target.TGL}
			if s.Info.Stage == kind.StageVertex && len(name)%2 == 0 {
				c.Options.Target = target.HSW // with vectors
			}
			if s.Info.Stage == kind.StageCompute && len(name)%5 == 0 {
				c.Options.Target = target.DG2 // without division
			}
			var follow pipeline.Follower
			tr := &pass.Trace{After: func(p string, changed bool, _ time.Duration) error {
				if err := follow.After(c, p); err != nil {
					t.Errorf("behind %s: %v", p, err)
				}
				after := text.Print(s)
				switch same := bytes.Equal(before, after); {
				case !changed && !same:
					t.Errorf("%s changed the shader and says that it did not", p)
				case !same:
					changes[p]++
				}
				before = after
				if !changed {
					return nil
				}
				var out strings.Builder
				for f := range s.Funcs() {
					shape(t, s, s.Body(s.Func(f).Node), s.Func(f).Node, 0, &out)
				}
				shapes[out.String()] = true
				return validate.Shader(s)
			}}
			var lack *legal.Error
			if err := pipeline.ForTarget(c, tr); errors.As(err, &lack) {
				lacks[lack.Lacks]++
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	for p := range pipeline.Known.Passes() {
		if changes[p.Name] == 0 {
			t.Errorf("%s changes no shader", p.Name)
		}
		t.Logf("%s: %d", p.Name, changes[p.Name])
	}
	if len(lacks) != 1 || lacks["arithmetic on 64-bit floats"] == 0 {
		t.Errorf("refused: %v", lacks)
	}
	if len(shapes) < 80 {
		t.Errorf("%d trees", len(shapes))
	}
	t.Logf("%d trees", len(shapes))
}

// loopDepth returns the number of loops around a node.
func loopDepth(s *ir.Shader, n ir.Node) int {
	if n = s.LoopOf(n); n == 0 {
		return 0
	}
	return 1 + loopDepth(s, n)
}
