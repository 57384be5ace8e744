// SPDX-License-Identifier: MIT

package whole

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// topics lists the features that compilers for these machines most easily get wrong, with the scripts that test each
// feature, and a check of the code of such a script. If the check fails, the script does not exercise the feature.
var topics = []struct {
	name    string
	scripts []string
	has     func(p *jacquard.Program, asm string) error
}{
	{"divergence", []string{"divergence", "if_nested", "lanes_switch", "subgroup_divergent"}, instruction("if")},
	{"partial workgroups", []string{"workgroup_partial", "saxpy", "nbody", "builtins_3d", "subgroup_partial"}, partial},
	{"nested loops", []string{"loop_nested", "bitonic", "sort_insertion"}, twoLoops},
	{"early exits", []string{"return_in_loop", "loop_nested", "op_loop_continue_work"}, instruction("if")},
	{"barriers", []string{"barriers", "bitonic", "matmul", "shared_reduce", "shared_prefix_sum"}, instruction("send.gtwy")},
	{"spilling", []string{"scratch_spill"}, spills},
}

// instruction requires an instruction by its name.
func instruction(name string) func(*jacquard.Program, string) error {
	return func(_ *jacquard.Program, asm string) error {
		for word := range strings.FieldsSeq(asm) {
			if word == name {
				return nil
			}
		}
		return fmt.Errorf("there is no %s in the code", name)
	}
}

// partial requires a workgroup or a range of data that leaves lanes without
// work: a size that the width does not divide, or a branch around the work.
func partial(p *jacquard.Program, asm string) error {
	size := p.ABI.LocalSize
	if int(size[0]*size[1]*size[2])%p.Variants[0].SIMD != 0 {
		return nil
	}
	return instruction("if")(p, asm)
}

func twoLoops(p *jacquard.Program, _ string) error {
	if n := p.Variants[0].Stats.Loops; n < 2 {
		return fmt.Errorf("the code has %d loops", n)
	}
	return nil
}

func spills(p *jacquard.Program, _ string) error {
	v := &p.Variants[0]
	if v.Stats.Spills == 0 || v.Stats.Fills == 0 || v.Scratch == 0 {
		return fmt.Errorf("%d spills and %d fills in %d bytes of scratch space", v.Stats.Spills, v.Stats.Fills, v.Scratch)
	}
	return nil
}

// TestTopics runs the scripts of each topic on every engine, without any
// exception, and looks into their code at every width.
func TestTopics(t *testing.T) {
	for _, topic := range topics {
		t.Run(strings.ReplaceAll(topic.name, " ", "_"), func(t *testing.T) {
			for _, name := range topic.scripts {
				for _, e := range engines {
					t.Run(e.name+"/"+name, func(t *testing.T) {
						if reason := exception(name, e.name); reason != "" {
							t.Fatalf("does not hold there: %s", reason)
						}
						runScript(t, e, name, filepath.Join("../../amber", name+".amber"))
					})
				}
				for _, simd := range widths {
					t.Run(fmt.Sprintf("code%d/%s", simd, name), func(t *testing.T) {
						p, err := jacquard.Compile(t.Context(), shaderModule(t, name), jacquard.Options{SIMD: simd})
						if err != nil {
							t.Fatal(err)
						}
						var asm strings.Builder
						if err := isatext.Disassemble(isa.TGL, p.Variants[0].Code, &asm); err != nil {
							t.Fatal(err)
						}
						if err := topic.has(p, asm.String()); err != nil {
							t.Error(err)
						}
					})
				}
			}
		})
	}
}
