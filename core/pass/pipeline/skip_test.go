// SPDX-License-Identifier: MIT

package pipeline_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// run is a way of running a pipeline: Context.Run or oneByOne.
type run func(c *pass.Context, p pass.Pipeline, tr *pass.Trace) error

// oneByOne runs every pass of a pipeline as a pipeline of its own, so that none is skipped.
func oneByOne(c *pass.Context, p pass.Pipeline, tr *pass.Trace) error {
	after := tr.After
	changed := false
	tr.After = func(name string, did bool, took time.Duration) error {
		changed = changed || did
		return after(name, did, took)
	}
	var steps func([]pass.Step) error
	steps = func(list []pass.Step) error {
		for _, x := range list {
			l, ok := x.(pass.Loop)
			if !ok {
				if err := c.Run(pass.Pipeline{x}, tr); err != nil {
					return err
				}
				continue
			}
			before := changed
			for changed = true; changed; before = before || changed {
				changed = false
				if err := steps(l); err != nil {
					return err
				}
			}
			changed = before
		}
		return nil
	}
	return steps(p)
}

// TestSkippedPassesChangeNothing runs the pipeline on every shader of the tests, both like Context.Run, which skips
// settled passes, and without skipping any, and compares the results.
func TestSkippedPassesChangeNothing(t *testing.T) {
	files, err := filepath.Glob("../../../tests/shaders/*.spv")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d shaders, %v", len(files), err)
	}
	var runs [2]int
	for _, file := range files {
		module, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got [2][]byte
		for i, run := range []run{(*pass.Context).Run, oneByOne} {
			s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			stats := &match.Stats{} // tries every rule everywhere
			if i == 0 {
				stats = nil
			}
			got[i] = passed(s, run, stats, &runs[i])
		}
		if !bytes.Equal(got[0], got[1]) {
			t.Errorf("%s: skipped passes had something to do:\n%s\nwithout skipping:\n%s", file, got[0], got[1])
		}
	}
	if runs[0] >= runs[1] {
		t.Errorf("%d runs of passes, without skipping %d", runs[0], runs[1])
	}
}

// passed returns the text of a shader after the pipeline, or the error, and adds the number of passes that ran to runs.
func passed(s *ir.Shader, run run, stats *match.Stats, runs *int) []byte {
	c := pass.New(s)
	c.Options = pass.Options{Target: target.TGL, SubgroupSize: 16, RuleStats: stats}
	err := run(c, pipeline.Compute, &pass.Trace{After: func(string, bool, time.Duration) error {
		*runs++
		return nil
	}})
	if err != nil {
		return []byte(err.Error())
	}
	return text.Print(s)
}
