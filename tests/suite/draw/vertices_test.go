// SPDX-License-Identifier: MIT

package draw

import (
	"fmt"
	"os"
	"testing"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/scripts"
)

// verticesSkip lists scripts whose vertex shaders are not compared, and the reasons.
var verticesSkip = map[string]string{
	"half_floats":   "the driver has no 16-bit inputs and outputs",
	"half_integers": "the driver has no 16-bit inputs and outputs",
	"clipping":      "its array of constants is in a buffer of the driver's",
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
			if why := verticesSkip[name]; why != "" {
				t.Skip(why)
			}
			script, err := parse()
			if err != nil {
				t.Fatal(err)
			}
			v := &peer.Vertices{Compiler: compiler, Module: moduleOf(file), StepLimit: 1 << 20}
			if _, err := script.Run(t.Context(), v); err != nil {
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
