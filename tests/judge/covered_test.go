// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
)

// TestCoverageTable checks the counts and the list of a set made by hand.
func TestCoverageTable(t *testing.T) {
	list := []coverage{
		{name: "same"}, {name: "absent", absent: true}, {name: "half", refused: "f2f32: operands of less than 32 bits are not supported"},
		{name: "missing", refused: "tex_txl is not supported"}, {name: "unlike", wrong: "vertex 0"}, {name: "undrawn", undrawn: "no result"},
	}
	var out bytes.Buffer
	writeCoverage(&out, "set", list)
	if want := "| set | 5 | 1 | 4 | 3 | 2 | 1 | 50.0 % |\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	listUncovered(&out, list)
	for _, want := range []string{"half: not reported: shaderFloat16", "**missing**: tex_txl", "**unlike**: it draws something else: vertex 0",
		"undrawn: compiled, not compared: no result"} {
		if !strings.Contains(out.String(), "\n- "+want) {
			t.Errorf("no %q in %s", want, &out)
		}
	}
	if got := strings.Count(out.String(), "\n- "); got != 4 {
		t.Errorf("%d lines, want 4", got)
	}
}

// TestCovered: a script's vertices are compared, and vertices that differ are found.
func TestCovered(t *testing.T) {
	p := findOpponent(target.HSW, vertexWidth)
	if p == nil {
		t.Skipf("%s is not set: there is no peer to judge", peer.Variable)
	}
	script, translate, err := readScript(t.Context(), filepath.Join("..", "amber", "graphics"), "vertex_atomics")
	if err != nil {
		t.Fatal(err)
	}
	x, err := cover(t.Context(), p, &drawn{name: "atomics", module: translate, run: running(script)}, nil)
	if want := (coverage{name: "atomics"}); err != nil || x != want {
		t.Errorf("%+v, %v, want %+v", x, err, want)
	}
}
