// SPDX-License-Identifier: MIT

package spirv_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// unknown is a number that is not in the SPIR-V registry.
const unknown = 60000

// TestRefusesByName: values for which the tables have only a name are refused by name, wherever they occur, and unknown
// values by number.
func TestRefusesByName(t *testing.T) {
	head := []uint32{0x07230203, 0x10600, 0, 5, 0}
	alone := func(in ...uint32) func(uint32) []byte {
		return func(num uint32) []byte {
			code := append([]uint32{}, head...)
			for _, w := range in {
				if w == unknown {
					w = num
				}
				code = append(code, w)
			}
			return words(code...)
		}
	}
	text := func(body, global string) func(uint32) []byte { // assembled once; the number is replaced
		m := assemble(t, strings.ReplaceAll(body, "NUM", fmt.Sprint("!", unknown)),
			strings.ReplaceAll(global, "NUM", fmt.Sprint("!", unknown)))
		return func(num uint32) []byte {
			out := append([]byte{}, m...)
			for i := 0; i < len(out); i += 4 {
				if string(out[i:i+4]) == string(words(unknown)) {
					copy(out[i:], words(num))
				}
			}
			return out
		}
	}
	empty := text("OpReturn", "")(0)
	for _, c := range []struct {
		what   string
		values spirvtab.Enum
		module func(num uint32) []byte
	}{
		{"capability", spirvtab.Capabilities, alone(2<<16|17, unknown)},
		{"addressing model", spirvtab.AddressingModels, alone(3<<16|14, unknown, 1)},
		{"memory model", spirvtab.MemoryModels, alone(3<<16|14, 0, unknown)},
		{"decoration", spirvtab.Decorations, alone(3<<16|71, 1, unknown)},
		{"execution mode", spirvtab.ExecutionModes, func(num uint32) []byte {
			m := append([]byte{}, empty...)
			for i := 0; i < len(m); i += 4 {
				if string(m[i:i+4]) == string(words(6<<16|16)) {
					copy(m[i+8:], words(num))
				}
			}
			return m
		}},
		{"image shape", spirvtab.Dims, text("OpReturn", "%i = OpTypeImage %f32 NUM 0 0 0 1 !0")},
		{"image format", spirvtab.ImageFormats, text("OpReturn", "%i = OpTypeImage %f32 2D 0 0 0 2 NUM")},
		{"memory operand", spirvtab.MemoryOperands, text("%v = OpVariable %pu Function\n%l = OpLoad %u32 %v NUM\nOpReturn", "")},
		{"storage class", spirvtab.StorageClasses, text("%l = OpLoad %u32 %v\nOpReturn", "%p = OpTypePointer NUM %u32\n%v = OpVariable %p NUM")},
		{"builtin", spirvtab.Builtins, text("%l = OpLoad %u32 %v\nOpReturn", "OpDecorate %v BuiltIn NUM\n%p = OpTypePointer Input %u32\n%v = OpVariable %p Input")},
		{"scope", spirvtab.Scopes, text("OpControlBarrier %s %s %u0\nOpReturn", "%s = OpConstant %u32 NUM")},
	} {
		refused := 0
		for i := range c.values {
			v := &c.values[i]
			if v.Read {
				continue
			}
			_, err := spirv.Read(c.module(v.Num), spirv.Options{Stage: kind.StageCompute})
			if refused++; err == nil || !strings.Contains(err.Error(), v.Name) {
				t.Errorf("%s %s gives %v", c.what, v.Name, err)
			}
		}
		want := fmt.Sprintf("unknown %s %d", c.what, unknown)
		if c.what == "builtin" {
			want = fmt.Sprintf("builtin %d is not supported", unknown)
		}
		if c.what == "memory operand" {
			want = "unknown memory operand 64"
		}
		if _, err := spirv.Read(c.module(unknown), spirv.Options{Stage: kind.StageCompute}); err == nil ||
			!strings.HasSuffix(err.Error(), want) {
			t.Errorf("a number without a name gives %v, want %s", err, want)
		}
		if refused == 0 && c.what != "image format" {
			t.Errorf("no %s is refused", c.what)
		}
	}
	for i := range spirvtab.Ops {
		if o := &spirvtab.Ops[i]; !o.Read {
			_, err := spirv.Read(alone(1<<16|uint32(o.Num))(0), spirv.Options{Stage: kind.StageCompute})
			if want := "word 5: " + o.Name + ": the instruction is not supported"; err == nil || err.Error() != want {
				t.Errorf("%s gives %v", o.Name, err)
			}
		}
	}
	refuses(t, alone(2<<16|17, 6022)(0), "word 5: OpCapability: capability CooperativeMatrixKHR is not supported")
}
