// SPDX-License-Identifier: MIT

package main

import (
	"strings"
	"testing"

	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/verify"
	"jacquard.example/core/pass"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

const doubler = `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "x" ssbo S1 set=0 binding=0
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = deref_var.32 modes=ssbo type=S1 var=@1
    %2 = deref_struct.32 %1 modes=ssbo type=[0 x u32, 4]
    %3 = deref_array.32 %2, %0 modes=ssbo type=u32
    %4 = load_deref.32 %3
    %5 = iadd.32 %4, %4
    store_deref.x1 %3, %5 write_mask=1
}
`

// TestVerify checks that a pass that breaks the shader's structure or its results is reported as an internal error
// that names the pass, and that a correct pass is not.
func TestVerify(t *testing.T) {
	swap := func(to op.Op) func(*pass.Context) bool {
		return func(c *pass.Context) bool {
			for v := range c.S.Instrs(c.S.FirstBlock(c.F)) {
				if i := c.S.At(v); i.Kind == kind.ALU && op.Op(i.Op) == op.IAdd {
					i.Op = uint16(to)
				}
			}
			return true
		}
	}
	// Undefined values may become anything, such as x + x for an undefined x.
	undefined := strings.Replace(doubler, "load_deref.32 %3", "undef.32", 1)
	// Two workgroups write different numbers to one word.
	race := strings.NewReplacer("load_deref.32 %3", "load_workgroup_id.32x3", "%4, %4", "%4.x, %4.x").Replace(doubler)
	// The index is beyond the end of the array.
	outside := strings.NewReplacer("0 x u32", "2 x u32", "value=(0x0)", "value=(0x3)").Replace(doubler)
	// The index is the workgroup's, and beyond the end where there are two.
	second := strings.NewReplacer("0 x u32", "1 x u32", "load_const.32 value=(0x0)", "load_workgroup_id.32x3", "%2, %0",
		"%2, %0.x").Replace(doubler)
	// It depends on a word of the buffer, 3 in the first data and 16 in the third.
	chosen := strings.NewReplacer("0 x u32", "4 x u32", "%5 = iadd.32 %4, %4",
		"%5 = iadd.32 %4, %4\n    %6 = load_const.32 value=(0x10)\n    %7 = ixor.32 %4, %6\n"+
			"    %8 = deref_array.32 %2, %7 modes=ssbo type=u32",
		"store_deref.x1 %3", "store_deref.x1 %8").Replace(doubler)
	for _, c := range []struct {
		name, mode string
		shader     string
		run        func(*pass.Context) bool
		want       string
	}{
		{"same", "run", doubler, func(*pass.Context) bool { return true }, ""},
		{"wrong", "run", doubler, swap(op.ISub), "internal error in pass wrong, function (unknown): after it the shader writes 0x"},
		{"wrong", "validate", doubler, swap(op.ISub), ""},
		{"undefined", "run", undefined, swap(op.ISub), ""},
		{"race", "run", race, swap(op.ISub), ""},
		{"outside", "run", outside, func(*pass.Context) bool { return true }, ""},
		{"outside", "run", outside, swap(op.ISub), "x.jir: error: --verify=run cannot compare what the shader computes"},
		{"second", "run", second, func(*pass.Context) bool { return true }, ""},
		{"second", "run", second, swap(op.ISub), "internal error in pass second, function (unknown): after it the shader writes 0x"},
		{"chosen", "run", chosen, swap(op.ISub), "internal error in pass chosen, function (unknown): after it the shader writes 0x"},
	} {
		s, err := text.Parse([]byte(c.shader))
		if err != nil {
			t.Fatal(err)
		}
		o := &opt{verify: cli.Optional{IsSet: true, Value: c.mode}}
		a := &cli.App{Ctx: t.Context(), Stderr: &strings.Builder{}}
		err = o.transform(a, "x.jir", s, true, pass.Pipeline{&pass.Pass{Name: c.name, Run: c.run}})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s, %s: %v", c.name, c.mode, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s, %s: %v, want %s", c.name, c.mode, err, c.want)
		}
	}
}

// floats computes with a float f and a zero z. It writes f*f + f, the last bit of this sum in a separate word, and -z +
// z. FLAGS is replaced by the float flags of the product and the sums.
const floats = `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "x" ssbo S1 set=0 binding=0
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32 value=(0x1)
    %2 = load_const.32 value=(0x2)
    %3 = deref_var.32 modes=ssbo type=S1 var=@1
    %4 = deref_struct.32 %3 modes=ssbo type=[0 x u32, 4]
    %5 = deref_array.32 %4, %0 modes=ssbo type=u32
    %6 = deref_array.32 %4, %1 modes=ssbo type=u32
    %7 = deref_array.32 %4, %2 modes=ssbo type=u32
    %8 = load_deref.32 %5
    %9 = load_const.32 value=(0x3f9dddb5)
    %10 = iand.32 %8, %0
    %11 = ior.32 %10, %9
    %12 = fmul.32 %11, %11FLAGS
    %13 = fadd.32 %12, %11FLAGS
    store_deref.x1 %5, %13 write_mask=1
    %14 = iand.32 %13, %1
    store_deref.x1 %6, %14 write_mask=1
    %15 = fneg.32 %10
    %16 = fadd.32 %15, %10FLAGS
    store_deref.x1 %7, %16 write_mask=1
}
`

// TestVerifyFloats: a pass may make use of the relaxations that the float flags of instructions allow, but of no
// others. Where they leave a word open altogether, a wrong pass is found because it changes the results of the shader
// with exact instructions.
func TestVerifyFloats(t *testing.T) {
	const relaxed = " float=nan|inf|nsz|denorm|contract|reassoc|transform"
	const differs, exactly = "internal error in pass edit, function (unknown): after it the shader writes 0x",
		", with every operation exact"
	for _, c := range []struct {
		name, flags, old, new string
		want                  []string
	}{
		{"fused", "", "%13 = fadd.32 %12, %11", "%13 = ffma.32 %11, %11, %11", []string{differs}},
		{"fused", " float=nsz", "%13 = fadd.32 %12, %11", "%13 = ffma.32 %11, %11, %11", []string{differs}},
		{"fused", " float=contract", "%13 = fadd.32 %12, %11", "%13 = ffma.32 %11, %11, %11", nil},
		{"zero", "", "%16 = fadd.32 %15, %10", "%16 = mov.32 %15", []string{differs}},
		{"zero", " float=contract", "%16 = fadd.32 %15, %10", "%16 = mov.32 %15", []string{differs}},
		{"zero", " float=nsz", "%16 = fadd.32 %15, %10", "%16 = mov.32 %15", nil},
		{"difference", relaxed, "%13 = fadd.32 %12, %11", "%13 = fsub.32 %12, %11", []string{differs}},
		{"open", relaxed, "%14 = iand.32 %13, %1", "%14 = mov.32 %2", []string{differs, exactly}},
	} {
		s, err := text.Parse([]byte(strings.ReplaceAll(floats, "FLAGS", c.flags)))
		if err != nil {
			t.Fatal(err)
		}
		edit := func(x *pass.Context) bool {
			was := string(text.Print(x.S))
			now := strings.Replace(was, c.old+c.flags+"\n", c.new+"\n", 1)
			if now == was && c.want == nil {
				return false // the exact instruction does not allow it
			}
			now = strings.Replace(now, c.old+"\n", c.new+"\n", 1)
			if now == was {
				t.Fatalf("%s is not in the shader:\n%s", c.old, now)
			}
			changed, err := text.Parse([]byte(now))
			if err != nil {
				t.Fatal(err)
			}
			*x.S = *changed
			return true
		}
		o := &opt{verify: cli.Optional{IsSet: true, Value: "run"}}
		a := &cli.App{Ctx: t.Context(), Stderr: &strings.Builder{}}
		err = o.transform(a, "x.jir", s, true, pass.Pipeline{&pass.Pass{Name: "edit", Run: edit}})
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s, with%s: %v", c.name, c.flags, err)
		}
		if err != nil && len(c.want) == 1 && strings.Contains(err.Error(), exactly) {
			t.Errorf("%s, with%s: found only with exact instructions: %v", c.name, c.flags, err)
		}
		for _, want := range c.want {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s, with%s: %v, want %s", c.name, c.flags, err, want)
			}
		}
	}
}

func TestCloseFloats(t *testing.T) {
	for _, c := range []struct {
		a, b uint32
		want bool
	}{
		{0x3f800000, 0x3f800001, true}, {0x3f800000, 0x3f900000, false}, {0x7fc00000, 0xffc00001, true},
		{0x7fc00000, 0x3f800000, false}, {3, 4, false}, {0x3f800000, 0xbf800000, false},
	} {
		if verify.CloseFloats(c.a, c.b) != c.want {
			t.Errorf("%#x, %#x: want %t", c.a, c.b, c.want)
		}
	}
}
