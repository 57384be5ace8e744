// SPDX-License-Identifier: MIT

package whole

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/scripts"
)

// TestWidths runs shaders that are not possible at every width: their workgroup takes
// too many of a device's threads, or their private memory too much of a thread's scratch
// space. A requested width that is impossible is an error; without a request, the first
// possible width is used.
func TestWidths(t *testing.T) {
	const (
		scratch = "SIMD%d: %d bytes of private memory for each invocation are %d for a thread; %s has 2097152"
		threads = "SIMD%d: a workgroup of 1024 invocations takes %d threads; %s has %d for one"
	)
	for _, c := range []struct {
		script  string
		machine *target.Target
		refuse  map[int]string // by width
		auto    int
	}{
		{"scratch_64k.amber", target.TGL, nil, 16},
		{"scratch_72k.amber", target.TGL, map[int]string{32: fmt.Sprintf(scratch, 32, 73760, 32*73760, "tgl")}, 16},
		{"scratch_128k.amber", target.TGL, map[int]string{32: fmt.Sprintf(scratch, 32, 131072, 32*131072, "tgl")}, 16},
		{"scratch_256k.amber", target.TGL, map[int]string{16: fmt.Sprintf(scratch, 16, 262144, 16*262144, "tgl"), 32: fmt.Sprintf(scratch, 32, 262144, 32*262144, "tgl")}, 8},
		{"scratch_256k.amber", target.ICL, map[int]string{16: fmt.Sprintf(scratch, 16, 262144, 16*262144, "icl"), 32: fmt.Sprintf(scratch, 32, 262144, 32*262144, "icl")}, 8},
		{"workgroup_1024.amber", target.TGL, map[int]string{8: fmt.Sprintf(threads, 8, 128, "tgl", 64)}, 16},
		{"scratch_256k.amber", target.SKL, map[int]string{16: fmt.Sprintf(scratch, 16, 262144, 16*262144, "skl"), 32: fmt.Sprintf(scratch, 32, 262144, 32*262144, "skl")}, 8},
		{"workgroup_1024.amber", target.ICL, map[int]string{8: fmt.Sprintf(threads, 8, 128, "icl", 56), 16: fmt.Sprintf(threads, 16, 64, "icl", 56)}, 32},
		{"workgroup_1024.amber", target.SKL, map[int]string{8: fmt.Sprintf(threads, 8, 128, "skl", 56), 16: fmt.Sprintf(threads, 16, 64, "skl", 56)}, 32},
	} {
		script := scripts.Read(t, "testdata/widths/"+c.script)
		name := c.script
		if c.machine != target.All[0] {
			name += "-" + c.machine.Name
		}
		t.Run(name, func(t *testing.T) {
			opens := []func(*testing.T, *runner.Script) runner.Engine{openInterp, openLowered}
			if c.machine != target.All[0] {
				opens = nil // they have run
			} else if !strings.HasPrefix(c.script, "scratch") { // lavapipe takes minutes for large private arrays
				opens = append(opens, openLavapipe)
			}
			for _, open := range opens {
				if err := execute(t, open(t, script), script); err != nil {
					t.Error(err)
				}
			}
			module, err := moduleBytes(t, script.Shaders[0])
			if err != nil {
				t.Fatal(err)
			}
			var possible *jacquard.Program
			for _, simd := range []int{0, 8, 16, 32} {
				p, err := jacquard.Compile(t.Context(), module, jacquard.Options{Target: jacquard.Target(c.machine.Name), SIMD: simd})
				if want := c.refuse[simd]; want != "" {
					if err == nil || err.Error() != "input: error: "+want {
						t.Errorf("SIMD%d gives %v, want %s", simd, err, want)
					}
					refusesLaunch(t, c.machine, possible, simd)
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				possible = p
				if want := max(simd, c.auto*(1-min(simd, 1))); p.Variants[0].SIMD != want {
					t.Errorf("asked for %d lanes: %d, want %d", simd, p.Variants[0].SIMD, want)
				}
				if err := execute(t, openMachine(c.machine, simd)(t, script), script); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// refusesLaunch checks that the model does not launch a program at a width that the
// compiler refuses, with the scratch space that its threads would have.
func refusesLaunch(t *testing.T, machine *target.Target, p *jacquard.Program, simd int) {
	t.Helper()
	v := &p.Variants[0]
	_, err := eu.Run(t.Context(), &eu.Dispatch{
		Program: eu.Load(machine, v.Code), SIMD: simd, Groups: [3]uint32{1, 1, 1}, LocalSize: p.ABI.LocalSize,
		ScratchPerThread: v.Scratch / v.SIMD * simd,
	})
	var fault *eu.Fault
	if !errors.As(err, &fault) || fault.Kind != eu.FaultLaunch {
		t.Errorf("%s: the model launches %d lanes: %v", machine, simd, err)
	}
}

// TestWidthOfSpills: spilled registers take scratch space that private memory would
// leave no room for at 32 lanes.
func TestWidthOfSpills(t *testing.T) {
	text, err := os.ReadFile("../../amber/scratch_spill.amber")
	if err != nil {
		t.Fatal(err)
	}
	script, err := amber.Parse("scratch_spill.amber", []byte(strings.ReplaceAll(string(text), "2100", "16380")))
	if err != nil {
		t.Fatal(err)
	}
	module, err := moduleBytes(t, script.Shaders[0])
	if err != nil {
		t.Fatal(err)
	}
	_, err = jacquard.Compile(t.Context(), module, jacquard.Options{SIMD: 32})
	if err == nil || !strings.HasPrefix(err.Error(), "input: error: SIMD32: 2096640 bytes of private memory and ") {
		t.Errorf("SIMD32 gives %v", err)
	}
	for _, simd := range []int{0, 8, 16} {
		p, err := jacquard.Compile(t.Context(), module, jacquard.Options{SIMD: simd})
		if err != nil {
			t.Error(err)
			continue
		}
		if v := &p.Variants[0]; v.SIMD == 32 || v.Stats.Spills == 0 || v.Scratch < v.SIMD*65520+32 {
			t.Errorf("asked for %d lanes: %d, with %d spills and %d bytes of scratch space", simd, v.SIMD, v.Stats.Spills, v.Scratch)
		}
	}
}
