// SPDX-License-Identifier: MIT

package explicitio_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// TestD15GenericPointers: a pointer to one of several memories, chosen at run time, is passed to a function that does
// not know which. The set of possible memories is represented before inlining and survives it, and after all passes the
// function does the same as before.
func TestD15GenericPointers(t *testing.T) {
	const helper = `
fn 2 "add"(64x1) {
  b1:
    %40 = load_param.64
    %41 = deref_cast.64 %40 modes=shared|global|function_temp type=u32
    %42 = load_deref.32 %41
    %43 = load_const.32 value=(0x1)
    %44 = iadd.32 %42, %43
    store_deref.x1 %41, %44 write_mask=1
}
`
	src := pointers + `    %18 = bcsel.64 %15, %6, %11
    %19 = bcsel.64 %16, %7, %18
    call %19 callee=fn2
    %20 = deref_cast.64 %19 modes=shared|global|function_temp type=u32
    %30 = load_deref.32 %20
    %34 = deref_var.32 modes=ssbo type=S2 var=@2
    %35 = deref_struct.32 %34 modes=ssbo type=[0 x u32, 4]
    %36 = iadd.32 %0, %0
    %37 = deref_array.32 %35, %36 modes=ssbo type=u32
    store_deref.x1 %37, %30 write_mask=1
}
` + helper
	s, lowered := passtest.Parse(t, src), passtest.Parse(t, src)
	if err := pass.New(lowered).Run(pipeline.Compute, nil); err != nil {
		t.Fatal(err)
	}
	if err := validate.Shader(lowered); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(lowered))
	}
	for _, want := range []string{"load_shared", "load_scratch", "load_global"} {
		if !strings.Contains(string(text.Print(lowered)), want) {
			t.Errorf("there is no %s in\n%s", want, text.Print(lowered))
		}
	}
	// Both invocations add to the same word of global memory, at the same time.
	for w, want := range [][2]uint32{{101, 101}, {201, 201}, {301, 301}} {
		out, global := runPointers(t, s, uint32(w), globalAt[0])
		lowOut, lowGlobal := runPointers(t, lowered, uint32(w), globalAt[0])
		if !bytes.Equal(out, lowOut) || !bytes.Equal(global, lowGlobal) {
			t.Errorf("pointer %d: before %x %x, after %x %x", w, out, global, lowOut, lowGlobal)
		}
		if a, b := binary.LittleEndian.Uint32(out), binary.LittleEndian.Uint32(out[8:]); a != want[0] || b != want[1] {
			t.Errorf("pointer %d: read %d and %d, want %v", w, a, b, want)
		}
	}
}

// TestD16AddressFormats: the bits of a pointer are in the format of its mode, which is chosen when accesses are
// lowered, not by the deref. A format that does not exist is an error.
func TestD16AddressFormats(t *testing.T) {
	const tail = `    %21 = mov.64 %20
    %22 = unpack_64_2x32_split_x.32 %21
    %23 = unpack_64_2x32_split_y.32 %21
` + writeFirst + "%22" + writeSecond + "%23" + writeEnd
	lower := pass.Pipeline{pipeline.Known.Find("explicit_io")}
	for _, c := range []struct {
		name, ptr string
		want      [4]uint32 // low and high half of each invocation's pointer
		fails     string
	}{
		{"shared", "%20 = mov.64 %6", [4]uint32{0, 1 << 30, 4, 1 << 30}, ""},
		{"private", "%20 = mov.64 %7", [4]uint32{0, 2 << 30, 4, 2 << 30}, ""},
		{"global", "%17 = deref_cast.64 %11 modes=global type=u32 stride=4\n    %18 = deref_ptr_as_array.64 %17, %2 modes=global type=u32\n    %20 = mov.64 %18",
			[4]uint32{4, 0x1234, 8, 0x1234}, ""},
		{"ssbo", "%17 = deref_var.64 modes=ssbo type=S2 var=@2\n    %18 = deref_struct.64 %17 modes=ssbo type=[0 x u32, 4]\n    %19 = deref_array.64 %18, %2 modes=ssbo type=u32\n    %20 = mov.64 %19",
			[4]uint32{0, 1, 4, 1}, ""},
		{"push constants", "%17 = deref_var.64 modes=push_constant type=S1 var=@1\n    %20 = mov.64 %17", [4]uint32{}, "a pointer to push_constant memory cannot be a value"},
		{"shared, two words", "%17 = deref_var.32x2 modes=shared type=[4 x u32, 0] var=@3\n    %18 = deref_array.32x2 %17, %0 modes=shared type=u32\n    %20 = pack_64_2x32.64 %18", [4]uint32{0, 1 << 30, 4, 1 << 30}, ""},
		{"shared, one word", "%17 = deref_var.32 modes=shared type=[4 x u32, 0] var=@3\n    %18 = deref_array.32 %17, %0 modes=shared type=u32\n    %20 = u2u64.64 %18", [4]uint32{0, 0, 4, 0}, ""},
		{"private, one word", "%17 = deref_var.32 modes=function_temp type=[4 x u32, 0] var=@4\n    %18 = deref_array.32 %17, %0 modes=function_temp type=u32\n    %20 = u2u64.64 %18", [4]uint32{0, 0, 4, 0}, ""},
		{"global, two words", "%17 = unpack_64_2x32.32x2 %11\n    %18 = deref_cast.32x2 %17 modes=global type=u32 stride=4\n    %19 = deref_ptr_as_array.32x2 %18, %0 modes=global type=u32\n    %20 = pack_64_2x32.64 %19", [4]uint32{4, 0x1234, 8, 0x1234}, ""},
		{"ssbo, two words", "%17 = deref_var.32x2 modes=ssbo type=S2 var=@2\n    %18 = deref_struct.32x2 %17 modes=ssbo type=[0 x u32, 4]\n    %19 = deref_array.32x2 %18, %0 modes=ssbo type=u32\n    %20 = pack_64_2x32.64 %19", [4]uint32{0, 1, 4, 1}, ""},
		{"global, one word", "%17 = deref_cast.32 %0 modes=global type=u32\n    %18 = load_deref.32 %17\n    %20 = mov.64 %2", [4]uint32{}, "a pointer to global memory cannot be a value of 32 bits"},
		{"several modes, one word", "%17 = deref_cast.32 %0 modes=shared|function_temp type=u32\n    %18 = load_deref.32 %17\n    %20 = mov.64 %2", [4]uint32{}, "a pointer to shared|function_temp memory cannot be a value of 32 bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := passtest.Parse(t, pointers+"    "+c.ptr+"\n"+tail)
			err := pass.New(s).Run(lower, nil)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("gives %v, want %s", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			out, _ := runPointers(t, s, 0, globalAt[0])
			for i, want := range c.want {
				if got := binary.LittleEndian.Uint32(out[4*i:]); got != want {
					t.Errorf("word %d is %#x, want %#x", i, got, want)
				}
			}
		})
	}
	// Buffers: the same derefs are lowered to accesses by entry and offset or by address.
	for format, names := range map[pass.AddressFormat][2]string{pass.IndexOffset: {"store_ssbo", "store_global"}, pass.Bounded64: {"store_global", "store_ssbo"}} {
		s := passtest.Parse(t, pointers+"    %20 = mov.64 %6\n"+tail)
		c := pass.New(s)
		c.Options.Buffers = format
		if err := c.Run(lower, nil); err != nil {
			t.Fatal(err)
		}
		if got := string(text.Print(s)); !strings.Contains(got, names[0]) || strings.Contains(got, names[1]) {
			t.Errorf("format %d: want %s and no %s in\n%s", format, names[0], names[1], got)
		}
	}
}

// TestD16FormatsOfTargets: a buffer access has the format in the target's row for it, unless the options choose
// another. Bounds checks are added only to accesses by address, not by offset.
func TestD16FormatsOfTargets(t *testing.T) {
	const src = `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  u64 "a" offset=0
}
var @1 "b" ssbo S1
fn 1 "main"() entry {
  b0:
    %0 = load_const.64 value=(0x1, 0x0)
    %1 = deref_var.32 modes=ssbo type=S1 var=@1
    %2 = deref_struct.32 %1 modes=ssbo type=u64
    %3 = deref_atomic.64 %2, %0 atomic_op=iadd
    store_deref.x1 %2, %3 write_mask=1
}
`
	rows := func(rows ...target.FormatRow) *target.Target {
		m := *target.All[0]
		m.Formats = append(rows, m.Formats...)
		return &m
	}
	ssbo := func(atomics uint8, f target.AddressFormat) target.FormatRow {
		return target.FormatRow{Modes: kind.ModeSSBO, Atomics: atomics, Format: f}
	}
	type counts struct{ atomics, stores, checks int } // by address; checks counts bounds checks in code
	for _, c := range []struct {
		name string
		o    pass.Options
		want counts
	}{
		{"as the row says", pass.Options{Target: target.All[0]}, counts{1, 0, 1}},
		{"a machine with the message", pass.Options{Target: rows(ssbo(64, pass.IndexOffset))}, counts{0, 0, 0}},
		{"robust, by offset", pass.Options{Target: rows(ssbo(64, pass.IndexOffset)), Robust: true}, counts{0, 0, 0}},
		{"by address", pass.Options{Target: rows(ssbo(0, pass.Address64))}, counts{1, 1, 0}},
		{"robust, by address", pass.Options{Target: rows(ssbo(0, pass.Address64)), Robust: true}, counts{1, 1, 2}},
		{"offsets chosen", pass.Options{Target: target.All[0], Buffers: pass.IndexOffset}, counts{1, 0, 1}},
		{"addresses chosen", pass.Options{Target: target.All[0], Buffers: pass.Address64}, counts{1, 1, 0}},
		{"addresses chosen, robust", pass.Options{Target: target.All[0], Buffers: pass.Address64, Robust: true}, counts{1, 1, 2}},
		{"bounds chosen", pass.Options{Target: target.All[0], Buffers: pass.Bounded64}, counts{1, 1, 2}},
	} {
		s := passtest.Parse(t, src)
		pc := pass.New(s)
		pc.Options = c.o
		if err := pc.Run(pass.Pipeline{pipeline.Known.Find("explicit_io")}, nil); err != nil {
			t.Fatal(err)
		}
		got := string(text.Print(s))
		if n := (counts{strings.Count(got, "global_atomic"), strings.Count(got, "store_global"), int(pc.Bounded)}); n != c.want ||
			strings.Count(got, "if ") != n.checks {
			t.Errorf("%s: %+v, want %+v\n%s", c.name, n, c.want, got)
		}
	}
}

// TestD18CastStartsAChain: a chain without a known variable starts with a cast. It means the same wherever the pointer
// comes from: offsets of members and elements follow the type and the memory's layout, and ptr_as_array steps by the
// cast's stride.
func TestD18CastStartsAChain(t *testing.T) {
	const end = `    %30 = load_deref.32 %20
    store_deref.x1 %20, %5 write_mask=1
    %31 = load_deref.32 %20
` + writeFirst + "%30" + writeSecond + "%31" + writeEnd
	// The member of S3 is at offset 8 where memory is laid out by the type's decorations, and at 4 where it is packed.
	// Global memory holds 0, 300, 0; words 0 and 1 of workgroup memory hold 100.
	head := strings.Replace(pointers, "var @1", "struct S3 \"T\" {\n  u32 \"x\" offset=0\n  [2 x u32, 8] \"y\" offset=8\n}\nvar @1", 1)
	for _, c := range []struct {
		name, ptr string
		read      [2]uint32
		fails     string
	}{
		{"global", "%17 = load_const.64 value=(0x8, 0x0)\n    %18 = isub.64 %11, %17\n    %19 = deref_cast.64 %18 modes=global type=S3\n    %21 = deref_struct.64 %19 modes=global type=[2 x u32, 8] member=1\n    %22 = load_const.64 value=(0x0, 0x0)\n    %20 = deref_array.64 %21, %22 modes=global type=u32",
			[2]uint32{300, 300}, ""},
		{"shared", "%17 = mov.64 %3\n    %19 = deref_cast.64 %17 modes=shared type=S3\n    %21 = deref_struct.64 %19 modes=shared type=[2 x u32, 8] member=1\n    %22 = load_const.64 value=(0x0, 0x0)\n    %20 = deref_array.64 %21, %22 modes=shared type=u32",
			[2]uint32{100, 100}, ""},
		{"stepped", "%17 = mov.64 %3\n    %19 = deref_cast.64 %17 modes=shared type=u32 stride=4\n    %20 = deref_ptr_as_array.64 %19, %2 modes=shared type=u32",
			[2]uint32{100, 100}, ""},
		{"of a deref", "%19 = deref_cast.64 %7 modes=function_temp type=f32\n    %21 = deref_cast.64 %19 modes=function_temp type=u32\n    %20 = deref_cast.64 %21 modes=function_temp type=u32",
			[2]uint32{200, 200}, ""},
		{"no cast", "%17 = mov.64 %3\n    %19 = deref_cast.32 %0 modes=ssbo type=u32\n    %20 = deref_cast.32 %19 modes=ssbo type=u32", [2]uint32{}, "a pointer to ssbo memory cannot be a value of 32 bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := head + "    " + c.ptr + "\n" + end
			for _, passes := range []pass.Pipeline{nil, {pipeline.Known.Find("explicit_io")}, pipeline.Compute} {
				s := passtest.Parse(t, src)
				err := pass.New(s).Run(passes, nil)
				if c.fails != "" {
					if passes != nil && (err == nil || !strings.Contains(err.Error(), c.fails)) {
						t.Errorf("gives %v, want %s", err, c.fails)
					}
					continue
				}
				if err == nil {
					err = validate.Shader(s)
				}
				if err != nil {
					t.Fatalf("%v\n%s", err, text.Print(s))
				}
				out, _ := runPointers(t, s, 0, globalAt[0])
				for i, want := range c.read {
					if got := binary.LittleEndian.Uint32(out[8*i:]); got != want {
						t.Errorf("after %d passes: invocation %d reads %d, want %d", len(passes), i, got, want)
					}
					if got := binary.LittleEndian.Uint32(out[8*i+4:]); got != 100 {
						t.Errorf("after %d passes: invocation %d stores 100 and reads %d", len(passes), i, got)
					}
				}
			}
		})
	}
}
