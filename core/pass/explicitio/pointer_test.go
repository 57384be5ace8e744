// SPDX-License-Identifier: MIT

package explicitio_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// pointers is a shader with two invocations: %6 and %7 point to workgroup memory and to a private variable, %9 to the
// address in the push constants. The test defines %20, the pointer that is read and written.
const pointers = `shader compute "main"
workgroup_size 2 1 1
struct S1 "P" block {
  u64 "at" offset=0
  u32 "which" offset=8
}
struct S2 "B" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "push" push_constant S1
var @2 "out" ssbo S2
var @3 "s" shared [4 x u32, 0]
var @4 "t" function_temp [4 x u32, 0] fn=1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x1)
    %2 = i2i64.64 %0
    %3 = deref_var.64 modes=shared type=[4 x u32, 0] var=@3
    %4 = deref_var.64 modes=function_temp type=[4 x u32, 0] var=@4
    %5 = load_const.32 value=(0x64)
    %6 = deref_array.64 %3, %2 modes=shared type=u32
    %7 = deref_array.64 %4, %2 modes=function_temp type=u32
    store_deref.x1 %6, %5 write_mask=1
    %8 = iadd.32 %5, %5
    store_deref.x1 %7, %8 write_mask=1
    %9 = deref_var.32 modes=push_constant type=S1 var=@1
    %10 = deref_struct.32 %9 modes=push_constant type=u64
    %11 = load_deref.64 %10
    %12 = deref_struct.32 %9 modes=push_constant type=u32 member=1
    %13 = load_deref.32 %12
    %14 = load_const.32 value=(0x0)
    %15 = ieq.1 %13, %14
    %16 = ieq.1 %13, %1
`

// Text that writes two words of each invocation to the output and ends the shader.
const (
	writeFirst = `    %34 = deref_var.32 modes=ssbo type=S2 var=@2
    %35 = deref_struct.32 %34 modes=ssbo type=[0 x u32, 4]
    %36 = iadd.32 %0, %0
    %37 = deref_array.32 %35, %36 modes=ssbo type=u32
    store_deref.x1 %37, `
	writeSecond = ` write_mask=1
    %38 = iadd.32 %36, %1
    %39 = deref_array.32 %35, %38 modes=ssbo type=u32
    store_deref.x1 %39, `
	writeEnd = ` write_mask=1
}
`
)

// pointersEnd reads element 0 through %20, adds 1 to it, and writes the old and the new value to the output.
const pointersEnd = `
    %30 = load_deref.32 %20
    %31 = iadd.32 %30, %1
    store_deref.x1 %20, %31 write_mask=1
    %32 = deref_atomic.32 %20, %1 atomic_op=iadd
    %33 = load_deref.32 %20
` + writeFirst + "%30" + writeSecond + "%33" + writeEnd

// globalAt are addresses of global memory, in the lower and the upper half of the sign-extended 48 bits.
var globalAt = []uint64{0x123400000000, 0xFFFF923400000000}

func runPointers(t *testing.T, s *ir.Shader, which uint32, globalAt uint64) (out, global []byte) {
	t.Helper()
	push := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(nil, globalAt+4), which)
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Push: push, Buffers: []interp.Buffer{
		{Data: make([]byte, 32)},
		{Set: 9, Address: globalAt, Data: []byte{0, 0, 0, 0, 44, 1, 0, 0, 0, 0, 0, 0}},
	}}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	return call.Buffers[0].Data, call.Buffers[1].Data
}

// TestD19Generic: an access through a pointer with a known mode accesses that memory directly; an access through a
// pointer with several possible modes tests its tag.
func TestD19Generic(t *testing.T) {
	for _, c := range []struct {
		name, ptr string
		which     []uint32
		has, not  []string
	}{
		{"shared", "%20 = deref_cast.64 %6 modes=shared|global|function_temp type=u32",
			[]uint32{0}, []string{"load_shared"}, []string{"load_global", "ushr"}},
		{"private", "%20 = deref_cast.64 %7 modes=shared|function_temp type=u32",
			[]uint32{1}, []string{"load_scratch"}, []string{"load_global", "ushr"}},
		{"global", "%20 = deref_cast.64 %11 modes=global type=u32",
			[]uint32{2}, []string{"load_global"}, []string{"load_shared", "load_scratch", "ushr"}},
		{"two shared", "%19 = bcsel.64 %15, %6, %3\n    %20 = deref_cast.64 %19 modes=shared|global type=u32",
			[]uint32{0}, []string{"load_shared"}, []string{"load_global", "ushr"}},
		{"shared or global", "%19 = bcsel.64 %15, %6, %11\n    %20 = deref_cast.64 %19 modes=shared|global type=u32",
			[]uint32{0, 2}, []string{"load_shared", "load_global", "ushr"}, []string{"load_scratch"}},
		{"any", "%18 = bcsel.64 %15, %6, %11\n    %19 = bcsel.64 %16, %7, %18\n    %20 = deref_cast.64 %19 modes=shared|global|function_temp type=u32",
			[]uint32{0, 1, 2}, []string{"load_shared", "load_global", "load_scratch", "ushr"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := pointers + "    " + c.ptr + pointersEnd
			if c.name == "private" || c.name == "any" {
				src = strings.Replace(src, "%32 = deref_atomic.32 %20, %1 atomic_op=iadd",
					"%32 = mov.32 %1\n    store_deref.x1 %20, %31 write_mask=1", 1)
			}
			s := passtest.Parse(t, src)
			lowered := passtest.Parse(t, src)
			p := pass.New(lowered)
			known := pipeline.Known
			passes := pass.Pipeline{known.Find("opt_deref"), known.Find("explicit_io"), known.Find("dead_code")}
			if err := p.Run(passes, nil); err != nil {
				t.Fatal(err)
			}
			if err := validate.Shader(lowered); err != nil {
				t.Fatalf("%v\n%s", err, text.Print(lowered))
			}
			got := string(text.Print(lowered))
			for _, want := range c.has {
				if !strings.Contains(got, want) {
					t.Errorf("there is no %s in\n%s", want, got)
				}
			}
			for _, no := range c.not {
				if strings.Contains(got, no) {
					t.Errorf("there is %s in\n%s", no, got)
				}
			}
			for _, w := range c.which {
				for _, at := range globalAt {
					out, global := runPointers(t, s, w, at)
					lowOut, lowGlobal := runPointers(t, lowered, w, at)
					if !bytes.Equal(out, lowOut) || !bytes.Equal(global, lowGlobal) {
						t.Errorf("pointer %d, global memory at %#x: before %x %x, after %x %x", w, at, out, global, lowOut, lowGlobal)
					}
					if first := binary.LittleEndian.Uint32(out); first != []uint32{100, 200, 300}[w] {
						t.Errorf("pointer %d, global memory at %#x: read %d", w, at, first)
					}
				}
			}
		})
	}
}

// TestD17PointerWidth: a pointer may have any width that its origin chooses; only the derefs of a chain must agree.
func TestD17PointerWidth(t *testing.T) {
	for _, c := range []struct {
		name, link string
		want       string
	}{
		{"32", "%3 = deref_var.32 modes=ssbo type=[4 x u32, 4] var=@1\n    %4 = deref_array.32 %3, %0 modes=ssbo type=u32", ""},
		{"64", "%3 = deref_var.64 modes=ssbo type=[4 x u32, 4] var=@1\n    %4 = deref_array.64 %3, %1 modes=ssbo type=u32", ""},
		{"two words", "%3 = deref_var.32x2 modes=ssbo type=[4 x u32, 4] var=@1\n    %4 = deref_array.32x2 %3, %0 modes=ssbo type=u32", ""},
		{"wider parent", "%3 = deref_var.64 modes=ssbo type=[4 x u32, 4] var=@1\n    %4 = deref_array.32 %3, %0 modes=ssbo type=u32", "deref-size"},
		{"narrower index", "%3 = deref_var.64 modes=ssbo type=[4 x u32, 4] var=@1\n    %4 = deref_array.64 %3, %0 modes=ssbo type=u32", "deref-index-bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.link += "\n    %5 = load_const.32 value=(0x2a)\n    store_deref.x1 %4, %5 write_mask=1"
			src := "shader compute \"main\"\nworkgroup_size 1 1 1\nvar @1 \"b\" ssbo [4 x u32, 4]\nfn 1 \"main\"() entry {\n  b0:\n" +
				"    %0 = load_const.32 value=(0x0)\n    %1 = load_const.64 value=(0x0, 0x0)\n" +
				"    %2 = load_const.32 value=(0x0)\n    " + c.link + "\n}\n"
			s, err := text.Parse([]byte(src))
			if err != nil {
				t.Fatal(err)
			}
			err = validate.Shader(s)
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("gives %v, want %s", err, c.want)
			case c.want == "": // valid shaders are also compiled, and write the same
				if err := pass.New(s).Run(pipeline.Compute, nil); err != nil {
					t.Fatal(err)
				}
				for i, s := range []*ir.Shader{passtest.Parse(t, src), s} {
					data := make([]byte, 16)
					if _, err := interp.Run(context.Background(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 1, Buffers: []interp.Buffer{{Data: data}}}); err != nil {
						t.Fatal(err)
					}
					if want := append([]byte{42}, make([]byte, 15)...); !bytes.Equal(data, want) {
						t.Errorf("run %d leaves %x", i, data)
					}
				}
			}
		})
	}
	// A pointer value has 64 or 2x32 bits; to workgroup or private memory it may also have 32.
	for _, size := range []string{"16", "32x3", "64x2"} {
		src := "shader compute \"main\"\nworkgroup_size 1 1 1\nfn 1 \"main\"() entry {\n  b0:\n    %0 = undef." + size +
			"\n    %1 = deref_cast." + size +
			" %0 modes=shared type=u32\n    %2 = load_deref.32 %1\n    store_deref.x1 %1, %2 write_mask=1\n}\n"
		err := pass.New(passtest.Parse(t, src)).Run(pipeline.Compute, nil)
		if want := "explicit_io: a pointer to shared memory cannot be a value of " + size + " bits"; err == nil || err.Error() != want {
			t.Errorf("a value of %s as pointer: %v", size, err)
		}
	}
}

// TestD17PointerValues: pointers of all widths that a mode allows are converted to values, selected, cast and loaded
// through, after explicit_io alone and after all passes.
func TestD17PointerValues(t *testing.T) {
	const end = "    %30 = load_deref.32 %20\n    store_deref.x1 %20, %5 write_mask=1\n    %31 = load_deref.32 %20\n" +
		writeFirst + "%30" + writeSecond + "%31" + writeEnd
	deref := func(name, width, modes, variable string) string {
		return "%5" + name + " = deref_var." + width + " modes=" + modes + " type=[4 x u32, 0] var=@" + variable +
			"\n    %6" + name + " = deref_array." + width + " %5" + name + ", %0 modes=" + modes + " type=u32\n    "
	}
	const global = "%64 = unpack_64_2x32.32x2 %11\n    "
	for _, c := range []struct {
		name, ptr string
		which     uint32
		want      uint32
	}{
		{"shared, one word", deref("1", "32", "shared", "3") + "%17 = mov.32 %61\n    %20 = deref_cast.32 %17 modes=shared type=u32", 0, 100},
		{"private, one word", deref("1", "32", "function_temp", "4") + "%17 = mov.32 %61\n    %20 = deref_cast.32 %17 modes=function_temp type=u32", 0, 200},
		{"shared, two words", deref("1", "32x2", "shared", "3") + "%17 = mov.32x2 %61\n    %20 = deref_cast.32x2 %17 modes=shared type=u32", 0, 100},
		{"private, two words", deref("1", "32x2", "function_temp", "4") + "%17 = mov.32x2 %61\n    %20 = deref_cast.32x2 %17 modes=function_temp type=u32", 0, 200},
		{"global, two words", global + "%20 = deref_cast.32x2 %64 modes=global type=u32", 0, 300},
		{"one of two, shared", deref("1", "32x2", "shared", "3") + global + "%17 = bcsel.32x2 %15.xx, %61, %64\n    %20 = deref_cast.32x2 %17 modes=shared|global type=u32", 0, 100},
		{"one of two, global", deref("1", "32x2", "shared", "3") + global + "%17 = bcsel.32x2 %15.xx, %61, %64\n    %20 = deref_cast.32x2 %17 modes=shared|global type=u32", 2, 300},
		{"one of three, private", deref("1", "32x2", "shared", "3") + deref("2", "32x2", "function_temp", "4") + global +
			"%17 = bcsel.32x2 %15.xx, %61, %64\n    %18 = bcsel.32x2 %16.xx, %62, %17\n    %20 = deref_cast.32x2 %18 modes=shared|global|function_temp type=u32", 1, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, passes := range []pass.Pipeline{{pipeline.Known.Find("explicit_io")}, pipeline.Compute} {
				s := passtest.Parse(t, pointers+"    "+c.ptr+"\n"+end)
				if err := pass.New(s).Run(passes, nil); err != nil {
					t.Fatal(err)
				}
				if err := validate.Shader(s); err != nil {
					t.Fatalf("%v\n%s", err, text.Print(s))
				}
				out, _ := runPointers(t, s, c.which, globalAt[0])
				if got, then := binary.LittleEndian.Uint32(out), binary.LittleEndian.Uint32(out[4:]); got != c.want || then != 100 {
					t.Errorf("after %d passes: reads %d, then %d; want %d and 100\n%s", len(passes), got, then, c.want, text.Print(s))
				}
			}
		})
	}
}
