// SPDX-License-Identifier: MIT

package draw

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/scripts"
)

// verticesRefused has the errors of scripts whose vertex programs cannot be compared: the driver compiles 16-bit inputs and
// outputs, which it does not support, to wrong code, and puts an array of constants in a buffer of its own. The places of
// arrays of buffers in the binding table are not read from its final IR.
var verticesRefused = map[string]string{
	"half_floats":   "the destination is byte -16 to 99 of the registers",
	"half_integers": "vertex 0, component 2 of slot 1",
	"clipping":      "its code accesses 1 entries of kind ubo, but the draw has 0",

	"vertex_descriptors": "there is no surface at binding table index 2",
}

// TestPeerVertices runs the vertex shaders of every script, and of random ones, as machine code of another compiler for
// vertices of four lanes, and compares their outputs with the interpreter. VERTICES is the number of random scripts.
func TestPeerVertices(t *testing.T) {
	compiler := peer.Find(target.HSW)
	if compiler == nil {
		t.Skip("no peer: " + peer.Variable + " is not set")
	}
	compared := 0
	run := func(name, file string, parse func() (*runner.Script, error)) {
		t.Run(name, func(t *testing.T) {
			script, err := parse()
			if err != nil {
				t.Fatal(err)
			}
			v := &peer.Vertices{Compiler: compiler, Module: moduleOf(file), StepLimit: 1 << 20}
			_, err = script.Run(t.Context(), v)
			if why := verticesRefused[name]; why != "" {
				if err == nil || !strings.Contains(err.Error(), why) {
					t.Errorf("got %v, want an error with %q", err, why)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if v.Compared == 0 {
				t.Error("no output is compared")
			}
			compared++
		})
	}
	for _, file := range append(scripts.Files(t, "../../amber/graphics/*.amber"), scripts.Files(t, "testdata/*.amber")...) {
		run(nameOf(file), file, func() (*runner.Script, error) { return scripts.Read(t, file), nil })
	}
	n := 20
	if p := os.Getenv("VERTICES"); p != "" {
		if _, err := fmt.Sscan(p, &n); err != nil {
			t.Fatalf("VERTICES=%q: %v", p, err)
		}
	}
	for seed := range uint64(n) {
		name := fmt.Sprintf("mixed%d.amber", seed)
		run(fmt.Sprint("mixed", seed), name, func() (*runner.Script, error) { return amber.Parse(name, []byte(mixed(seed))) })
	}
	t.Logf("%d scripts are compared", compared)
}
