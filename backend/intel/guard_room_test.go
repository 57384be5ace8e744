// SPDX-License-Identifier: MIT

package intel_test

import (
	"bytes"
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/generated/target"
)

// TestGuardsHaveRoom compiles a shader for register files so small that no register is left for guards. The
// compiler must start over with some registers reserved, also if it resumes from machine IR before allocation.
func TestGuardsHaveRoom(t *testing.T) {
	s := lowered(t, "../../tests/shaders/lanes_descriptors.comp.spv")
	again := 0
	for n := 23; n < 30; n++ {
		tgt, file := *target.TGL, *target.TGL.Registers
		file.Registers, file.LastFrom = n, n-8
		file.TurnEnd, file.TurnPressure = n-8, 0
		tgt.Registers = &file
		allocated := 0
		var text []byte
		o := intel.Options{Target: &tgt, SIMD: 32, Buffers: 8, Verify: true, Trace: func(pass string, u *mir.Unit, _ time.Duration) {
			switch pass {
			case "indirect":
				text = mirtext.Print(u)
			case "allocate":
				allocated++
			}
		}}
		bin, err := intel.Compile(s, o)
		if err != nil {
			t.Errorf("%d registers: %v", n, err)
			continue
		}
		if again += allocated - 1; allocated == 1 {
			continue
		}
		u, err := mirtext.Parse(text, func(u *mir.Unit) error { return intel.CheckUnit(u, &tgt) })
		if err != nil {
			t.Fatal(err)
		}
		o.Trace = nil
		if resumed, err := new(intel.Compiler).Resume(u, o); err != nil {
			t.Errorf("%d registers, from machine IR: %v", n, err)
		} else if !bytes.Equal(resumed.Code, bin.Code) {
			t.Errorf("%d registers: the code from machine IR differs", n)
		}
	}
	if again == 0 {
		t.Error("registers were left for guards with every register file")
	}
}
