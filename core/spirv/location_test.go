// SPDX-License-Identifier: MIT

package spirv_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// TestLocationOfGLSL: an error in a module from glslang has the line in the source, with either kind of debug
// information, and no line without debug information.
func TestLocationOfGLSL(t *testing.T) {
	glslang := oracle.Need(t, "glslangValidator")
	const source = "testdata/location/derivative.comp"
	for flag, want := range map[string]string{"-V": "", "-g": source + ":8:0", "-gVS": source + ":8:0"} {
		out := filepath.Join(t.TempDir(), "m.spv")
		if _, err := oracle.RunProgram(t, glslang, nil, "-V", flag, "-o", out, source); err != nil {
			t.Fatal(err)
		}
		module, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		e := refusal(t, module)
		if got := place(e.File, e.Line, e.Column); e.Op != "OpDPdx" || got != want {
			t.Errorf("%s: %s at %q, want %q", flag, e.Op, got, want)
		}
	}
}

// place returns a place as text, or "" if it is unknown.
func place(file string, line, column int) string {
	if file == "" && line == 0 && column == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

// refusal reads a module that the reader must refuse.
func refusal(t *testing.T, module []byte) *spirv.Error {
	t.Helper()
	_, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
	var e *spirv.Error
	if !errors.As(err, &e) {
		t.Fatalf("gives %v, want an *Error", err)
	}
	return e
}

// located returns the assembly of a module; body starts with the OpFunction of main.
func located(body string) string {
	return `OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%info = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%other = OpExtInstImport "NonSemantic.DebugPrintf"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%a = OpString "a.comp"
%b = OpString "b.comp"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%true = OpConstantTrue %bool
%u0 = OpConstant %u32 0
%u3 = OpConstant %u32 3
%u7 = OpConstant %u32 7
%u9 = OpConstant %u32 9
%spec = OpSpecConstant %u32 9
%far = OpConstant %u32 4000000000
%long = OpConstant %u64 9
%f0 = OpConstant %f32 0
%pf = OpTypePointer Private %f32
%private = OpVariable %pf Private
%sa = OpExtInst %void %info DebugSource %a
%sb = OpExtInst %void %info DebugSource %b
` + body + "\nOpFunctionEnd\n"
}

// Instructions that replace HERE. The reader refuses one of them.
const refused, read = "OpStore %f0 %f0", "OpStore %private %f0"

// TestLocationRanges: an instruction has the location of the last OpLine or DebugLine before it, unless the range or
// the block has ended since. The same holds for errors and for instructions of the IR.
func TestLocationRanges(t *testing.T) {
	oracle.Need(t, "spirv-as")
	const main, entry = "%main = OpFunction %void None %fn\n", "%entry = OpLabel\n"
	debug := func(n int, what string) string { return fmt.Sprintf("%%d%d = OpExtInst %%void %%info %s\n", n, what) }
	for _, c := range []struct{ name, body, want string }{
		{"none", main + entry + "HERE\nOpReturn", ""},
		{"line", main + entry + "OpLine %a 3 5\nHERE\nOpReturn", "a.comp:3:5"},
		{"no column", main + entry + "OpLine %a 3 0\nHERE\nOpReturn", "a.comp:3:0"},
		{"last line", main + entry + "OpLine %a 3 5\nOpLine %b 7 1\nHERE\nOpReturn", "b.comp:7:1"},
		{"after it", main + entry + "HERE\nOpLine %a 3 5\nOpReturn", ""},
		{"ended", main + entry + "OpLine %a 3 5\nOpNoLine\nHERE\nOpReturn", ""},
		{"block", main + entry + "OpLine %a 3 5\nOpBranch %next\n%next = OpLabel\nHERE\nOpReturn", ""},
		{"before the label", main + entry + "OpLine %a 3 5\nOpBranch %next\nOpLine %b 4 1\n%next = OpLabel\nHERE\nOpReturn", "b.comp:4:1"},
		{"before the function", "OpLine %a 3 5\n" + main + entry + "HERE\nOpReturn", "a.comp:3:5"},
		{"before a type", "OpLine %a 3 5\n%t = OpTypeFloat 16\n" + main + entry + "HERE\nOpReturn", "a.comp:3:5"},
		{"ended before the function", "OpLine %a 3 5\nOpNoLine\n" + main + entry + "HERE\nOpReturn", ""},
		{"second block of a function", "OpLine %a 3 5\n" + main + entry + "OpBranch %next\n%next = OpLabel\nHERE\nOpReturn", ""},
		{"phi", main + entry + "OpBranch %next\n%next = OpLabel\nOpLine %a 3 5\n%x = OpPhi %f32 %f0 %entry\nHERE\nOpReturn", "a.comp:3:5"},
		{"debug", main + entry + debug(0, "DebugLine %sa %u3 %u3 %u7 %u9") + "HERE\nOpReturn", "a.comp:3:7"},
		{"debug without column", main + entry + debug(0, "DebugLine %sb %u3 %u7 %u0 %u0") + "HERE\nOpReturn", "b.comp:3:0"},
		{"debug ended", main + entry + debug(0, "DebugLine %sa %u3 %u3 %u7 %u9") + debug(1, "DebugNoLine") + "HERE\nOpReturn", ""},
		{"debug block", main + entry + debug(0, "DebugLine %sa %u3 %u3 %u7 %u9") + "OpBranch %next\n%next = OpLabel\nHERE\nOpReturn", ""},
		{"scope", main + entry + debug(0, "DebugLine %sa %u3 %u3 %u7 %u9") + debug(1, "DebugNoScope") + "HERE\nOpReturn", "a.comp:3:7"},
		{"debug after line", main + entry + "OpLine %a 9 9\n" + debug(0, "DebugLine %sb %u3 %u3 %u7 %u9") + "HERE\nOpReturn", "b.comp:3:7"},
		{"line after debug", main + entry + debug(0, "DebugLine %sb %u3 %u3 %u7 %u9") + "OpLine %a 9 8\nHERE\nOpReturn", "a.comp:9:8"},
		{"line 0", main + entry + "OpLine %a 3 5\n" + debug(0, "DebugLine %sa %u0 %u0 %u0 %u0") + "HERE\nOpReturn", ""},
		// Without a file and a line there is no location.
		{"huge line", main + entry + "OpLine %a 4294967295 5\nHERE\nOpReturn", ""},
		{"huge column", main + entry + "OpLine %a 3 4294967295\nHERE\nOpReturn", "a.comp:3:0"},
		{"huge debug line", main + entry + debug(0, "DebugLine %sa %far %far %u0 %u0") + "HERE\nOpReturn", ""},
		{"file that is not a string", main + entry + "OpLine %u3 3 5\nHERE\nOpReturn", ""},
		{"source that is not a source", main + entry + debug(0, "DebugLine %a %u3 %u3 %u7 %u9") + "HERE\nOpReturn", ""},
		{"source that follows", main + entry + debug(0, "DebugLine %later %u3 %u3 %u7 %u9") + "HERE\n%later = OpExtInst %void %info DebugSource %a\nOpReturn", ""},
		{"file of a source that is not a string", "%sc = OpExtInst %void %info DebugSource %u3\n" + main + entry + debug(0, "DebugLine %sc %u3 %u3 %u7 %u9") + "HERE\nOpReturn", ""},
		{"source that is a type", "%sc = OpExtInst %void %info DebugTypeBasic %a %u3 %u0 %u0\n" + main + entry + debug(0, "DebugLine %sc %u3 %u3 %u7 %u9") + "HERE\nOpReturn", ""},
		{"source without a file", "%sc = OpExtInst %void %info DebugInfoNone\n" + main + entry + debug(0, "DebugLine %sc %u3 %u3 %u7 %u9") + "HERE\nOpReturn", ""},
		{"line of 64 bits", main + entry + debug(0, "DebugLine %sa %long %long %u7 %u9") + "HERE\nOpReturn", ""},
		{"line that is specialized", main + entry + debug(0, "DebugLine %sa %spec %spec %u7 %u9") + "HERE\nOpReturn", ""},
		{"line that is not a constant", main + entry + debug(0, "DebugLine %sa %u32 %void %u7 %u9") + "HERE\nOpReturn", ""},
		{"missing operands", main + entry + debug(0, "!103 %sa %u3 %u3") + "HERE\nOpReturn", ""},
		{"ids beyond the bound", main + entry + debug(0, "DebugLine !100000000 !4294967295 !0 !0 !0") + "HERE\nOpReturn", ""},
		{"file beyond the bound", main + entry + debug(0, "DebugLine %sc !3 !3 !3 !3") + "HERE\n%sc = OpExtInst %void %info !35 !100000000\nOpReturn", ""},
		{"another set", main + entry + "%d0 = OpExtInst %void %other !103 %sa %u3 %u3 %u7 %u9\nHERE\nOpReturn", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := located(c.body)
			bad, err := oracle.Assemble(t, []byte(strings.Replace(source, "HERE", refused, 1)), "spv1.6")
			if err != nil {
				t.Fatal(err)
			}
			e := refusal(t, bad)
			if got := place(e.File, e.Line, e.Column); e.Op != "OpStore" || got != c.want {
				t.Errorf("the error in %s is at %q, want %q", e.Op, got, c.want)
			}
			good, err := oracle.Assemble(t, []byte(strings.Replace(source, "HERE", read, 1)), "spv1.6")
			if err != nil {
				t.Fatal(err)
			}
			s, err := spirv.Read(good, spirv.Options{Stage: kind.StageCompute})
			if err != nil {
				t.Fatal(err)
			}
			if got := placeOfStore(t, s); got != c.want {
				t.Errorf("the store is at %q, want %q", got, c.want)
			}
		})
	}
}

// placeOfStore returns the location of a shader's store to a private variable.
func placeOfStore(t *testing.T, s *ir.Shader) string {
	for f := range s.Funcs() {
		for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
			for v := s.First(b); v != 0; v = s.At(v).Next() {
				in := s.At(v)
				if in.Intrinsic() == intrinsic.StoreDeref && s.Modes(s.Src(v, 0).Val) == kind.ModeShaderTemp {
					at := s.Locs.At(in.Loc)
					return place(s.Strs.Text(at.File), int(at.Line), int(at.Column))
				}
			}
		}
	}
	t.Fatal("there is no store")
	return ""
}

// TestLocationWhileScanning: the location of an error that the scan finds comes from the words before it. Later words
// are not read.
func TestLocationWhileScanning(t *testing.T) {
	oracle.Need(t, "spirv-as")
	module, err := oracle.Assemble(t, []byte(located("%main = OpFunction %void None %fn\n%entry = OpLabel\nOpLine %a 3 5\n"+read+
		"\nOpLine %b 4 5\nOpReturn")), "spv1.6")
	if err != nil {
		t.Fatal(err)
	}
	at := len(module) - 4*(4+1+1+3) // the store
	for _, word := range []uint32{
		0,           // no words
		0xffff0000,  // more words than there are
		1<<16 | 999, // an opcode that does not exist
		1<<16 | 62,  // an OpStore without operands
	} {
		broken := append([]byte(nil), module...)
		binary.LittleEndian.PutUint32(broken[at:], word)
		e := refusal(t, broken)
		if got := place(e.File, e.Line, e.Column); e.Word != at/4 || got != "a.comp:3:5" {
			t.Errorf("%#x: %v at %q, want a.comp:3:5", word, e, got)
		}
	}
}
