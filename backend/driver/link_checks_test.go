// SPDX-License-Identifier: MIT

package driver

import (
	"errors"
	"os"
	"strings"
	"testing"

	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// TestLinkChecks: with Options.Verify, both shaders of a pipeline are checked after each pass, before and after
// linking. The defect is a 7-bit multiplication.
func TestLinkChecks(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	vertex, fragment := read("link_vertex.jir"), read("link_fragment.jir")
	vertex = strings.Replace(vertex, "store_deref.x4 %4, %1", "%7 = fmul.32x4 %1, %1\n    store_deref.x4 %4, %7", 1)
	halves := func(verify bool) (v, f *linkable) {
		opts := Options{Target: target.TGL, Verify: verify}
		var err error
		if v, err = newLinkable(t.Context(), Open([]byte(vertex), "a"), kind.StageVertex, &opts); err != nil {
			t.Fatal(err)
		}
		if f, err = newLinkable(t.Context(), Open([]byte(fragment), "b"), kind.StageFragment, &opts); err != nil {
			t.Fatal(err)
		}
		return v, f
	}
	spoil := func(h *linkable) {
		s := h.S
		for b := range s.Blocks(h.F) {
			for i := range s.Instrs(b) {
				if in := s.At(i); in.Kind == kind.ALU {
					in.Bits = 7
					return
				}
			}
		}
		t.Fatal("there is no arithmetic")
	}
	for _, verify := range []bool{false, true} {
		for side := range 2 {
			v, f := halves(verify)
			spoil([]*linkable{v, f}[side])
			_, err := join(v, f)
			var internal *InternalError
			if found := errors.As(err, &internal); found != verify || found && internal.Pass != "link" {
				t.Errorf("verify %t, shader %d: %v", verify, side, err)
			}
		}
		v, f := halves(verify)
		for _, h := range []*linkable{v, f} {
			if followed := h.checks.follow != (pipeline.Follower{}); followed != verify {
				t.Errorf("verify %t: passes before linking are checked: %t", verify, followed)
			}
		}
	}
}
