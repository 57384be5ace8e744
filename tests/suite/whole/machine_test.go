package whole

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/shaders"
)

// widths are the SIMD widths that every shader is compiled at.
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

// TestMachineCode: at every width the code of every test shader is legal by
// our restriction rows; iga64 disassembles all of it, says nothing about that
// text under -Wall, and assembles it to the very same bytes; and so does our
// own assembler with our own text.
func TestMachineCode(t *testing.T) {
	iga := oracle.IGA{Platform: "12p1"}
	oracle.Need(t, "iga64")
	for _, src := range shaders.All() {
		for _, simd := range widths {
			t.Run(fmt.Sprintf("%s/%d", src.Name, simd), func(t *testing.T) {
				t.Parallel()
				p, err := jacquard.Compile(t.Context(), shaderModule(t, src.Name), jacquard.Options{SIMD: simd, File: src.File, Verify: true})
				if reason := uncompiled[src.Name]; reason != "" {
					if err == nil {
						t.Errorf("compiles, but is listed as one that does not: %s", reason)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				checkCode(t, iga, p.Variants[0].Code)
			})
		}
	}
}

// uncompiled are the shaders for which there is no machine code, and why.
var uncompiled = map[string]string{
	"float64_arith":   noFloat64,
	"float64_convert": noFloat64,
}

func checkCode(t *testing.T, iga oracle.IGA, code []byte) {
	t.Helper()
	for _, v := range legal.Check(isa.TGL, code) {
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
	sameCode(t, "iga64", code, back)
	var own strings.Builder
	if err := isa.Disassemble(isa.TGL, code, &own); err != nil {
		t.Fatalf("our disassembler: %v", err)
	}
	back, err = isa.Assemble(isa.TGL, own.String())
	if err != nil {
		t.Fatalf("our assembler: %v", err)
	}
	sameCode(t, "our assembler", code, back)
}

func sameCode(t *testing.T, who string, want, got []byte) {
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
			if err := isa.Disassemble(isa.TGL, want[i:i+16], &line); err != nil {
				line.WriteString(err.Error())
			}
			t.Errorf("%s differs at %#x: %x, ours %x: %s", who, i, got[i:i+16], want[i:i+16], line.String())
			return
		}
	}
}
