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

// everything returns rows of which none is ever left out.
func everything(rows []pass.Pass) (out []pass.Pass) {
	for _, p := range rows {
		p.Only, p.Changes, p.Ignores, p.Settles, p.Number = nil, 0, 0, false, 0
		p.Loop = everything(p.Loop)
		if len(p.Loop) == 0 {
			p.Loop = nil
		}
		out = append(out, p)
	}
	return out
}

// TestSkippedPassesHaveNothingToDo: the shaders of the tests become the same if all passes of
// the loops run after every change.
func TestSkippedPassesHaveNothingToDo(t *testing.T) {
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
		for i, rows := range [][]pass.Pass{pipeline.Compute, everything(pipeline.Compute)} {
			s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			stats := &match.Stats{} // every rule is tried everywhere
			if i == 0 {
				stats = nil
			}
			got[i] = passed(t, s, rows, stats, &runs[i])
		}
		if !bytes.Equal(got[0], got[1]) {
			t.Errorf("%s: passes that were left out had something to do:\n%s\nwith them:\n%s", file, got[0], got[1])
		}
	}
	if runs[0] >= runs[1] {
		t.Errorf("%d runs of passes, without skipping %d", runs[0], runs[1])
	}
}

// passed returns the text of a shader after a pipeline, or why it fails, and adds the number
// of passes that ran.
func passed(t *testing.T, s *ir.Shader, rows []pass.Pass, stats *match.Stats, runs *int) []byte {
	c := pass.New(s)
	c.Options = pass.Options{Target: target.TGL, SubgroupSize: 16, RuleStats: stats}
	err := c.Run(rows, &pass.Trace{After: func(string, bool, time.Duration) error {
		*runs++
		return nil
	}})
	if err != nil {
		return []byte(err.Error())
	}
	return text.Print(s)
}
