// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"testing"

	"jacquard.example/cmd/jacquard/compare"
	"jacquard.example/cmd/jacquard/record"
	"jacquard.example/cmd/jacquard/report"
)

// TestCodegenFlags: flags about code have the same effect in all subcommands that compile.
func TestCodegenFlags(t *testing.T) {
	const file = "../../tests/shaders/matmul.comp.spv"
	plain := [][]string{{}, {"--disable-pass", "cse,mir/schedule"}, {"--buffers", "bounded64", "--robust"}}
	seen := map[int]bool{}
	for _, flags := range plain {
		flags = append(flags, "--target", "icl")
		var compiled record.Program
		var line record.Line
		var reports []report.Report
		var versions compare.Versions
		for _, c := range []struct {
			args []string
			into any
		}{
			{[]string{"compile", file, "--emit", "json"}, &compiled}, {[]string{"stats", file}, &line},
			{[]string{"report", file, "--format", "json"}, &reports}, {[]string{"compare", file, file, "--format", "json"}, &versions},
		} {
			if err := json.Unmarshal([]byte(written(t, append(c.args, flags...)...)), c.into); err != nil {
				t.Fatal(c.args, err)
			}
		}
		want := compiled.Programs[0]
		if got := line.Programs[0]; got.Hash != want.Hash || got.SIMD != want.SIMD {
			t.Errorf("%v: stats has a different program than compile", flags)
		}
		if got := versions.New.Programs[0]; got.Hash != want.Hash {
			t.Errorf("%v: compare has a different program than compile", flags)
		}
		found := false
		for _, w := range reports[0].Widths {
			found = found || w.SIMD == want.SIMD && w.Stats == want.Stats
		}
		if !found {
			t.Errorf("%v: report has different statistics than compile: %+v", flags, want.Stats)
		}
		seen[want.Instructions] = true
	}
	if len(seen) != len(plain) {
		t.Errorf("the flags change nothing: %v", seen)
	}
}
