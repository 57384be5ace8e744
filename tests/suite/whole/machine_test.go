// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/igawords"
	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/scripts"
)

// widths are the SIMD widths of the default target.
var widths = []int{8, 16, 32}

// module returns the committed SPIR-V of a test shader as bytes.
func shaderModule(t *testing.T, name string) []byte {
	t.Helper()
	words, err := shaders.Module(name)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 0, 4*len(words))
	for _, w := range words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// TestMachineCode: for every target, at every width, the code of every test shader is
// legal by our restriction rows; iga64 disassembles all of it, has no warnings about
// that text under -Wall, and assembles it to identical bytes; and so does our own
// assembler with our own text. make test takes a third of the shaders at each width.
func TestMachineCode(t *testing.T) {
	oracle.Need(t, "iga64")
	for _, machine := range target.All {
		for _, src := range shaders.All() {
			for _, simd := range machine.Widths {
				name := fmt.Sprintf("%s/%s/%d", machine, src.Name, simd)
				if !sample.Subtest(3, name) {
					continue
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					checkModule(t, machine, src.Name, shaderModule(t, src.Name), jacquard.Options{SIMD: simd})
				})
			}
		}
	}
}

// TestMachineCodeOfScripts is TestMachineCode for the pipelines of all scripts whose
// shaders are not among the test shaders.
func TestMachineCodeOfScripts(t *testing.T) {
	oracle.Need(t, "iga64")
	files := scripts.Files(t, "../../amber/*.amber")
	for _, file := range files {
		script := scripts.Read(t, file)
		name := strings.TrimSuffix(filepath.Base(file), ".amber")
		for _, pl := range script.Pipelines {
			if committed(pl.Shader) {
				continue
			}
			name := name + "/" + pl.Name
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				module, err := moduleBytes(t, pl.Shader)
				if err != nil {
					t.Fatal(err)
				}
				for _, machine := range target.All {
					for _, simd := range machine.Widths {
						if !sample.Subtest(3, name, machine.Name, strconv.Itoa(simd)) {
							continue
						}
						if pl.Subgroup.Require != runner.SubgroupExact || int(pl.Subgroup.Size) == simd {
							o := jacquard.Options{SIMD: simd, Entry: pl.Entry}
							for _, s := range pl.Specialize {
								o.Specialize = append(o.Specialize, jacquard.Specialization{ID: s.ID, Bits: s.Bits, Size: s.Size})
							}
							checkModule(t, machine, name, module, o)
						}
					}
				}
			})
		}
	}
}

// checkModule checks the code of a module for a target, unless it is known why there
// is none.
func checkModule(t *testing.T, machine *target.Target, name string, module []byte, o jacquard.Options) {
	t.Helper()
	o.Target, o.File, o.Verify = jacquard.Target(machine.Name), name, true
	p, err := jacquard.Compile(t.Context(), module, o)
	reason := uncompiled[name]
	if why := tooWide[fmt.Sprintf("%s/%s/%d", machine, name, o.SIMD)]; why != "" && (err == nil || strings.Contains(err.Error(), why)) {
		reason = why
	}
	if reason != "" {
		if err == nil {
			t.Errorf("%s SIMD%d: compiles, but is listed as one that does not: %s", machine, o.SIMD, reason)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s SIMD%d: %v", machine, o.SIMD, err)
	}
	checkCode(t, machine.Platform, p.Variants[0].Code)
}

// tooWide are the widths at which a workgroup of a script takes more threads than the
// target has for one.
var tooWide = map[string]string{
	"icl/zero_shared/wide_pipeline/8": "a workgroup of 500 invocations takes 63 threads; icl has 56 for one",
	"skl/zero_shared/wide_pipeline/8": "a workgroup of 500 invocations takes 63 threads; skl has 56 for one",
}

// uncompiled lists the shaders without machine code, with the reasons.
var uncompiled = map[string]string{
	"float64_arith":   noFloat64,
	"float64_convert": noFloat64,
}

func checkCode(t *testing.T, p isa.Platform, code []byte) {
	t.Helper()
	iga := oracle.IGA{Platform: p.IGA()}
	for _, v := range legal.Check(p, code) {
		t.Errorf("not legal: %s", v)
	}
	text, err := iga.Disassemble(t, code)
	if err != nil {
		t.Fatalf("iga64 -d: %v", err)
	}
	if strings.Contains(text, "illegal") {
		t.Errorf("iga64 -d finds an illegal instruction:\n%s", text)
	}
	back, said, err := iga.Assemble(t, text, "-Wall")
	if err != nil {
		t.Fatalf("iga64 -a: %v", err)
	}
	if said != "" {
		t.Errorf("iga64 -a -Wall: %s", said)
	}
	if !igawords.Same(p, back, code) {
		sameCode(t, p, "iga64", code, back)
	}
	var own strings.Builder
	if err := isatext.Disassemble(p, code, &own); err != nil {
		t.Fatalf("our disassembler: %v", err)
	}
	back, err = isatext.Assemble(p, own.String())
	if err != nil {
		t.Fatalf("our assembler: %v", err)
	}
	sameCode(t, p, "our assembler", code, back)
}

func sameCode(t *testing.T, p isa.Platform, who string, want, got []byte) {
	t.Helper()
	if bytes.Equal(want, got) {
		return
	}
	if len(want) != len(got) {
		t.Errorf("%s gives %d bytes, not %d", who, len(got), len(want))
		return
	}
	for i := 0; i+16 <= len(want); i += 16 {
		if !bytes.Equal(want[i:i+16], got[i:i+16]) {
			var line strings.Builder
			if err := isatext.Disassemble(p, want[i:i+16], &line); err != nil {
				line.WriteString(err.Error())
			}
			t.Errorf("%s differs at %#x: %x, ours %x: %s", who, i, got[i:i+16], want[i:i+16], line.String())
			return
		}
	}
}
