package corpus

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/legal"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/validate"
	"jacquard.example/generated/target"
)

// throughPasses takes a vertex or fragment shader from the reader through all passes, with a check
// after each. Lacks is what the target has no instructions for.
func throughPasses(m *Module, e entryPoint) (at string, lacks, err error) {
	at = "read"
	err = guard(func() error {
		s, err := spirv.Read(m.SPIRV, spirv.Options{Stage: stageOf[models[e.model]], Entry: e.name})
		if err != nil {
			return err
		}
		at = "behind the reader"
		if err := validate.Shader(s); err != nil {
			return err
		}
		c := pass.New(s)
		c.Options = pass.Options{Target: target.TGL}
		after := func(name string, _ bool, _ time.Duration) error {
			at = "after " + name
			return validate.Shader(s)
		}
		err = pipeline.ForTarget(c, &pass.Trace{After: after, Unsettled: func(names []string) error {
			return fmt.Errorf("the loop of passes does not come to rest: %s", strings.Join(names, ", "))
		}})
		var lack *legal.Error
		if errors.As(err, &lack) {
			lacks = err
			return nil
		}
		return err
	})
	return at, lacks, err
}

// TestStages: vertex and fragment shaders that are read go through all passes.
func TestStages(t *testing.T) {
	c := compiler(t)
	var all []Module
	for i := range Packages {
		n, sampled := sampleSize[Packages[i].Name]
		if os.Getenv("JACQUARD_CORPUS_ALL") != "" {
			n, sampled = 0, true
		}
		if sampled {
			ms, _ := load(t, c, Packages[i].Name, n)
			all = append(all, ms...)
		}
	}
	reasons := map[string]int{}
	count, through := 0, 0
	for _, m := range Distinct(all) {
		for _, e := range entries(m.SPIRV) {
			if stage := models[e.model]; m.Invalid != "" || stage != "vertex" && stage != "fragment" {
				continue
			}
			count++
			switch at, lacks, err := throughPasses(&m, e); {
			case err == nil:
				through++
				if lacks != nil {
					reasons[Reason(lacks.Error())]++
				}
			case at == "read" && !strings.HasPrefix(err.Error(), "panic:"), strings.Contains(err.Error(), "is not supported"):
				reasons[Reason(err.Error())]++
			default:
				t.Errorf("%s: %s: %v", m.ID(), at, err)
			}
		}
	}
	if count < 50 {
		t.Errorf("only %d modules", count)
	}
	if 100*through < 90*count {
		t.Errorf("only %d of %d go through all passes", through, count)
	}
	t.Logf("%d of %d go through all passes", through, count)
	for why, n := range reasons {
		t.Logf("%d: %s", n, why)
	}
}
