// SPDX-License-Identifier: MIT

package stages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// onVectors runs a test for each machine whose lanes are components.
func onVectors(t *testing.T, test func(t *testing.T, m *target.Target)) {
	onEach(t, func(t *testing.T, m *target.Target) {
		if m.Can(target.Vectors) {
			test(t, m)
		}
	})
}

// decoded returns the instructions of a shader's code, which is legal, compiled without some passes.
func decoded(t *testing.T, m *target.Target, s *ir.Shader, without ...string) (list []isa.Inst) {
	t.Helper()
	code := compiled(t, m, s, without...).Code
	for _, v := range legal.Check(m.Platform, code) {
		t.Error(v)
	}
	for at := 0; at < len(code); {
		in, err := isa.Decode(m.Platform, code[at:])
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, in)
		at += int(in.Size)
	}
	return list
}

// copies returns the moves of registers other than the thread's header, with the components that each copies: "xy=zw"
// writes x and y from z and w.
func copies(list []isa.Inst) (moves []string) {
	for i := range list {
		in := &list[i]
		if in.Op != isa.OpMov || in.NoMask || in.Src[0].File == isa.FileImm {
			continue
		}
		to, from := "", ""
		for ch := range 4 {
			if in.Dst.Mask == 0 || in.Dst.Mask.Lanes()>>ch&1 != 0 {
				to += string("xyzw"[ch])
				from += string("xyzw"[in.Src[0].Swizzle.Lane(ch)])
			}
		}
		moves = append(moves, to+"="+from)
	}
	slices.Sort(moves)
	return moves
}

// fooAndBar computes foo, %6, and bar, %7, from inputs, and writes baz = vec4(foo.xy, bar.zw) to slot 4.
const fooAndBar = vertexHead + `
    %4 = load_input.32x4 %0 base=0 range=1 location=0
    %5 = load_input.32x4 %0 base=1 range=1 location=1
    %6 = iadd.32x4 %4, %5
    %7 = ixor.32x4 %4, %5
    %8 = vec4.32x4 %6.x, %6.y, %7.z, %7.w
    store_output.x4 %8, %0 base=4 range=1 write_mask=15 location=0
`

// TestR07VectorOfTwoByMasks: vec4(foo.xy, bar.zw) takes two moves with write masks if foo and bar have other uses, and
// nothing else is copied; if they have none, they are computed in the vector, and nothing is copied. No pass has to remove
// copies.
func TestR07VectorOfTwoByMasks(t *testing.T) {
	two := []string{"xy=xy", "zw=zw"}
	for name, c := range map[string]struct {
		uses  string
		moves []string
	}{
		"no other use": {"", nil},
		"as outputs": {`    store_output.x4 %6, %0 base=5 range=1 write_mask=15 location=1
    store_output.x4 %7, %0 base=6 range=1 write_mask=15 location=2
`, two},
		"in arithmetic": {`    %9 = iand.32x4 %6, %7
    store_output.x4 %9, %0 base=5 range=1 write_mask=15 location=1
`, two},
	} {
		onVectors(t, func(t *testing.T, m *target.Target) {
			src := fooAndBar + c.uses + "}\n"
			if got := copies(decoded(t, m, parsed(t, src), "coalesce")); !slices.Equal(got, c.moves) {
				t.Errorf("%s: moves %v, want %v", name, got, c.moves)
			}
			sameAsInterpreter(t, m, src)
		})
	}
}

// sameAsInterpreter checks that the model writes what the interpreter writes.
func sameAsInterpreter(t *testing.T, m *target.Target, src string) {
	t.Helper()
	got, want := onModel(t, m, parsed(t, src)), onInterpreter(t, parsed(t, src))
	for at, x := range want {
		if got[at] != x {
			t.Errorf("vertex %d, slot %d, component %d: %#x, the interpreter has %#x", at[0], at[1], at[2], got[at], x)
		}
	}
	if len(want) == 0 {
		t.Error("nothing is written")
	}
}

// TestR08ComponentsAreReused: the channels of components whose last use is past are those of other values: foo is computed
// in the register of vec4(foo.xy, bar.zw) although its components z and w are used, if bar is computed after their last
// use. If it is not, foo is copied.
func TestR08ComponentsAreReused(t *testing.T) {
	const foo = vertexHead + `
    %4 = load_input.32x4 %0 base=0 range=1 location=0
    %5 = load_input.32x4 %0 base=1 range=1 location=1
    %6 = iadd.32x4 %4, %5
`
	const use = `    %7 = imul_high.32 %6.z, %6.w
    %8 = ixor.32 %7, %4.x
    %12 = vec2.32x2 %7, %8
    store_output.x2 %12, %0 base=5 range=1 write_mask=3 location=1
`
	const bar = `    %9 = ixor.32x4 %4, %5
`
	const baz = `    %10 = vec4.32x4 %6.x, %6.y, %9.z, %9.w
    store_output.x4 %10, %0 base=4 range=1 write_mask=15 location=0
}
`
	const late = `    %11 = iand.32 %6.z, %4.w
    store_output.x1 %11, %0 base=6 range=1 write_mask=1 location=2
`
	for name, c := range map[string]struct {
		src   string
		moves []string
	}{
		"used before":    {foo + use + bar + baz, nil},
		"used after":     {foo + bar + use + baz, []string{"xy=xy"}},
		"used later too": {foo + use + bar + late + baz, []string{"xy=xy"}},
	} {
		onVectors(t, func(t *testing.T, m *target.Target) {
			if got := copies(decoded(t, m, parsed(t, c.src), "coalesce")); !slices.Equal(got, c.moves) {
				t.Errorf("%s: moves %v, want %v", name, got, c.moves)
			}
			sameAsInterpreter(t, m, c.src)
		})
	}
}

// TestR06VectorsStay: where instructions compute vectors, they are kept, and scalar operations become vectors again, with
// the same code.
func TestR06VectorsStay(t *testing.T) {
	const head = `shader vertex "main"
var @1 "at" shader_out f32x4 builtin=0
var @2 "a" shader_in u32x4 location=0
var @3 "b" shader_in u32x4 location=1
var @4 "o" shader_out u32x4 location=0
fn 1 "main"() entry {
  b0:
    %1 = deref_var.32 modes=shader_in type=u32x4 var=@2
    %2 = load_deref.32x4 %1
    %3 = deref_var.32 modes=shader_in type=u32x4 var=@3
    %4 = load_deref.32x4 %3
`
	const tail = `    %90 = deref_var.32 modes=shader_out type=u32x4 var=@4
    store_deref.x4 %90, %80 write_mask=15
    %91 = deref_var.32 modes=shader_out type=f32x4 var=@1
    store_deref.x4 %91, %2 write_mask=15
}
`
	scalars, parts := "", ""
	for ch := range 4 {
		x := "xyzw"[ch : ch+1]
		scalars += fmt.Sprintf("    %%%d = iadd.32 %%2.%s, %%4.%s\n    %%%d = ixor.32 %%%d, %%2.%s\n", 10+2*ch, x, x, 11+2*ch, 10+2*ch, x)
		parts += fmt.Sprintf(", %%%d", 11+2*ch)
	}
	vectors := head + "    %10 = iadd.32x4 %2, %4\n    %80 = ixor.32x4 %10, %2\n" + tail
	split := head + scalars + "    %80 = vec4.32x4 " + parts[2:] + "\n" + tail
	onVectors(t, func(t *testing.T, m *target.Target) {
		want := compiled(t, m, lowered(t, m, vectors)).Code
		if got := compiled(t, m, lowered(t, m, split)).Code; !slices.Equal(got, want) {
			t.Errorf("scalar operations become other code than vectors")
		}
		n := map[isa.Op]int{}
		for _, in := range decoded(t, m, lowered(t, m, vectors)) {
			if in.Dst.Mask == 0 {
				n[in.Op]++
			}
		}
		if n[isa.OpAdd] != 1 || n[isa.OpXor] != 1 {
			t.Errorf("%d add and %d xor of four components, want one each", n[isa.OpAdd], n[isa.OpXor])
		}
	})
}

// TestO06MovesKeepBits: a move of an input to an output has equal types, which do not convert.
func TestO06MovesKeepBits(t *testing.T) {
	onVectors(t, func(t *testing.T, m *target.Target) {
		moves := 0
		for _, in := range decoded(t, m, parsed(t, vertexHead+`
    %4 = load_input.32x4 %0 base=0 range=1 value_base=int
    %5 = load_input.32x4 %0 base=1 range=1 value_base=float
    store_output.x4 %4, %0 base=4 range=1 write_mask=15 value_base=int
    store_output.x4 %5, %0 base=5 range=1 write_mask=7 value_base=float location=1
}
`)) {
			if in.Op != isa.OpMov || in.Src[0].File == isa.FileImm {
				continue
			}
			moves++
			if in.Dst.Type != in.Src[0].Type {
				t.Errorf("a move from %v to %v", in.Src[0].Type, in.Dst.Type)
			}
		}
		if moves < 2 {
			t.Errorf("%d moves", moves)
		}
	})
}

// TestO09VectorsAreLowered: selection for vectors refuses by name what passes must have lowered, and what it does not
// support.
func TestO09VectorsAreLowered(t *testing.T) {
	for code, want := range map[string]string{
		"%4 = load_vertex_id_zero_base.32\n    %5 = load_input.32 %4 range=2": "load_input at a non-constant index",
		"%5 = load_input.16 %0 range=1\n    %6 = u2u32.32 %5":                 "operands of less than 32 bits",
		"%5 = load_subgroup_invocation.32":                                    "load_subgroup_invocation is not supported in vec4 code",
	} {
		value := "%5"
		if strings.Contains(code, "%6") {
			value = "%6"
		}
		s := parsed(t, vertexHead+"    "+code+"\n    store_output.x1 "+value+", %0 base=4 range=1 write_mask=1\n}\n")
		onVectors(t, func(t *testing.T, m *target.Target) {
			if _, err := intel.Compile(s, intel.Options{Target: m, SIMD: 8}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", code, err, want)
			}
		})
	}
}

// TestO10PairsOfSlots: messages that write interleaved slots have a header and an even number of slots; a part starts at an
// even slot; only the last ends the thread (Haswell PRM vol. 2d, "URB_WRITE_HWORD").
func TestO10PairsOfSlots(t *testing.T) {
	for varyings := range 29 {
		var b strings.Builder
		b.WriteString(vertexHead)
		for i := range varyings {
			fmt.Fprintf(&b, "    store_output.x1 %%2, %%0 base=%d range=1 write_mask=1 location=%d\n", 4+i, i)
		}
		b.WriteString("}\n")
		onVectors(t, func(t *testing.T, m *target.Target) {
			s := parsed(t, b.String())
			written, ended := 0, false
			for _, in := range decoded(t, m, s) {
				if isa.Ops[in.Op].Format != isa.FormatSend {
					continue
				}
				// The length of the payload, and the offset in pairs of slots (Haswell PRM vol. 2d, "Message Descriptor").
				slots, at := int(in.Desc>>25&15)-1, int(in.Desc>>3&0x7FF)*2
				if slots%2 != 0 || slots < 2 || slots > 14 || at != written || ended {
					t.Errorf("%d outputs: %d slots at slot %d after %d slots, ended: %v", varyings, slots, at, written, ended)
				}
				written, ended = written+slots, in.EOT
			}
			want := 2
			if varyings > 0 {
				want = 4 + varyings + varyings%2
			}
			if written != want || !ended {
				t.Errorf("%d outputs: %d slots are written, want %d; ended: %v", varyings, written, want, ended)
			}
		})
	}
}

// TestProductsWithHalves: products of an integer with half of another one are computed without operands of 16 bits.
func TestProductsWithHalves(t *testing.T) {
	const src = `shader vertex "main"
var @1 "at" shader_out f32x4 builtin=0
var @2 "a" shader_in u32x4 location=0
var @3 "b" shader_in u32x4 location=1
var @4 "o" shader_out u32x4 location=0
fn 1 "main"() entry {
  b0:
    %1 = deref_var.32 modes=shader_in type=u32x4 var=@2
    %2 = load_deref.32x4 %1
    %3 = deref_var.32 modes=shader_in type=u32x4 var=@3
    %4 = load_deref.32x4 %3
    %5 = imul_32x16.32x4 %2, %4
    %6 = umul_32x16.32x4 %4, %2
    %7 = ixor.32x4 %5, %6
    %90 = deref_var.32 modes=shader_out type=u32x4 var=@4
    store_deref.x4 %90, %7 write_mask=15
    %91 = deref_var.32 modes=shader_out type=f32x4 var=@1
    store_deref.x4 %91, %2 write_mask=15
}
`
	onVectors(t, func(t *testing.T, m *target.Target) {
		got, want := onModel(t, m, lowered(t, m, src)), onInterpreter(t, lowered(t, m, src))
		if len(want) == 0 {
			t.Fatal("nothing is written")
		}
		for at, x := range want {
			if got[at] != x {
				t.Errorf("vertex %d, slot %d, component %d: %#x, the interpreter has %#x", at[0], at[1], at[2], got[at], x)
			}
		}
	})
}
