// SPDX-License-Identifier: MIT

package oracle

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const axpy = "mov (8|M0) r10.0<1>:f r11.0<8;8,1>:f {@1}\nadd (16|M0) r20.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d\n"

func TestIGA(t *testing.T) {
	iga := IGA{"12p1"}
	code, _, err := iga.Assemble(t, axpy)
	if err != nil || len(code) != 32 {
		t.Fatalf("%d bytes, %v", len(code), err)
	}
	text, err := iga.Disassemble(t, code)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := iga.Assemble(t, text)
	if err != nil || !slices.Equal(code, again) {
		t.Errorf("the text %q makes %x, not %x (%v)", text, again, code, err)
	}
	var no *ToolError
	if _, _, err := iga.Assemble(t, "mov (8) garbage"); !errors.As(err, &no) || !strings.Contains(no.Output, "line 1") {
		t.Errorf("garbage: %v", err)
	}
	bad := slices.Repeat([]byte{0xff}, 16)
	texts, errs := iga.DisassembleAll(t, [][]byte{code, bad})
	if texts[0] != text || errs[0] != nil || !errors.As(errs[1], &no) {
		t.Errorf("%q %v", texts, errs)
	}
}

func TestSPIRV(t *testing.T) {
	source, err := os.ReadFile("../shaders/saxpy.comp")
	if err != nil {
		t.Fatal(err)
	}
	module, err := GLSL(t, "comp", source)
	if err != nil {
		t.Fatal(err)
	}
	if err := Validate(t, module, ""); err != nil {
		t.Error(err)
	}
	text, err := Disassemble(t, module)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Assemble(t, []byte(text), "")
	if err != nil || len(again) != len(module) || !slices.Equal(again[16:], module[16:]) {
		t.Errorf("assembling the disassembly gives another module (%v)", err)
	}
	bad := slices.Clone(module)
	bad[20] ^= 0x40 // the opcode of the first instruction
	if Validate(t, bad, "") == nil {
		t.Error("spirv-val accepts damage")
	}
	if _, err := GLSL(t, "comp", []byte("void main() { x = 1; }")); err == nil || !strings.Contains(err.Error(), "'x'") {
		t.Errorf("glslang: %v", err)
	}
}

func TestOcloc(t *testing.T) {
	binary, err := CompileCL(t, "tgllp", []byte("kernel void k(global int *p) { p[get_global_id(0)] += 1; }"), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ValidateZebin(t, binary); err != nil {
		t.Error(err)
	}
	if _, err := ValidateZebin(t, []byte("no elf")); err == nil {
		t.Error("ocloc accepts a file that it did not write")
	}
	if _, err := CompileCL(t, "tgllp", []byte("kernel void k("), ""); err == nil {
		t.Error("ocloc compiles half a kernel")
	}
}

func TestSolve(t *testing.T) {
	const query = "(declare-const x (_ BitVec 8))(assert (= (bvmul x #x03) #x01))(check-sat)(get-value (x))"
	got, err := Solve(t, query, 1_000_000)
	if err != nil || len(got) != 2 || got[0] != "sat" || got[1] != "((x #xab))" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Solve(t, "(assert", 0); err == nil {
		t.Error("z3 takes half a command")
	}
}

// TestMissing simulates a test whose tool is missing.
func TestMissing(t *testing.T) {
	for _, ci := range []string{"", "true"} {
		t.Setenv("CI", ci)
		r := &recorder{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			Missing(r, "sometool", "some-package")
		}()
		<-done
		if r.failed != (ci == "true") || r.skipped == r.failed || !strings.Contains(r.line, "some-package") ||
			strings.Contains(r.line, "\n") {
			t.Errorf("CI=%q: %+v", ci, r)
		}
	}
}

type recorder struct {
	testing.TB
	failed, skipped bool
	line            string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failed, r.line = true, fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Skipf(format string, args ...any) {
	r.skipped, r.line = true, fmt.Sprintf(format, args...)
	runtime.Goexit()
}
