// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"strings"
	"testing"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/picture"
)

// TestDraws judges three samples at 8 lanes: both compilers' programs draw the same picture as the interpreter, and
// their costs are not zero.
func TestDraws(t *testing.T) {
	p := findOpponent(target.TGL, 8)
	if p == nil {
		t.Skipf("%s is not set: there is no peer to judge", peer.Variable)
	}
	set, err := drawnSampleSet(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	judged, err := judgeDraws(t.Context(), p, set[:3], 0)
	if err != nil {
		t.Fatal(err)
	}
	for k, list := range judged.of {
		for _, v := range list {
			if v.why != "" {
				t.Errorf("%s, %s: left out: %s", v.name, stages[k], v.why)
			}
			for side, accounts := range [...][]uint64{cyclesOf(&v, true), cyclesOf(&v, false)} {
				if c := v.code[side]; c.instructions == 0 || c.sends == 0 {
					t.Errorf("%s, %s, side %d: %+v", v.name, stages[k], side, c)
				}
				if half, whole, twice := accounts[1], accounts[0], accounts[2]; half == 0 || half > whole || whole > twice {
					t.Errorf("%s, %s, side %d: %d, %d and %d cycles as memory gets slower", v.name, stages[k], side, half, whole, twice)
				}
			}
		}
	}
	var out bytes.Buffer
	section(&out, "fragments", drawColumns, judged.of[1], pictures)
	if s := out.String(); !strings.Contains(s, "| lit |") || !strings.Contains(s, "None of 3 are left out.") {
		t.Error(s)
	}
}

// cyclesOf returns the cycles of one side by table.
func cyclesOf(v *verdict, ours bool) (out []uint64) {
	accounts := v.theirs
	if ours {
		accounts = v.ours
	}
	for i := range accounts {
		out = append(out, accounts[i].Alone.Cycles())
	}
	return out
}

// TestDifferentResultsAreNotJudged: pictures and bindings that differ by more than is allowed are not judged.
func TestDifferentResultsAreNotJudged(t *testing.T) {
	format, err := texture.Named("R8G8B8A8_UNORM")
	if err != nil {
		t.Fatal(err)
	}
	want := &runner.DrawCall{State: draw.State{Colors: []draw.Color{{Attachment: draw.Attachment{Format: format, Width: 4, Height: 4,
		Data: make([]byte, 64)}}}}}
	want.Bindings = []runner.Binding{{Kind: runner.Storage, Data: make([]byte, 4)}}
	for _, c := range []struct {
		name   string
		change func(*runner.DrawCall)
		share  float64
		want   string
	}{
		{"nothing", func(*runner.DrawCall) {}, 0, ""},
		{"a step of rounding", func(c *runner.DrawCall) { c.State.Colors[0].Data[5] = 1 }, 0, ""},
		{"a texel", func(c *runner.DrawCall) { c.State.Colors[0].Data[5] = 9 }, 0, "color 0: 1 of 16 texels differ"},
		{"a texel of those allowed", func(c *runner.DrawCall) { c.State.Colors[0].Data[5] = 9 }, 0.1, ""},
		{"a buffer", func(c *runner.DrawCall) { c.Bindings[0].Data[3] = 1 }, 0, "set 0 binding 0 differs"},
	} {
		got := picture.Copy(want)
		c.change(got)
		err := (&match{drawn: &drawn{share: c.share}}).differ(want, got)
		if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
