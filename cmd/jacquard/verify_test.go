package main

import (
	"strings"
	"testing"

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

// TestVerify checks that a pass that breaks the shader, or what it computes, is
// an internal error that names the pass, and one that does neither is none.
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
	// What is undefined may become anything: x + x here, where x is.
	undefined := strings.Replace(doubler, "load_deref.32 %3", "undef.32", 1)
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
	} {
		s, err := text.Parse([]byte(c.shader))
		if err != nil {
			t.Fatal(err)
		}
		o := &opt{verify: optional{set: true, value: c.mode}}
		a := &app{ctx: t.Context(), stderr: &strings.Builder{}}
		err = o.transform(a, "x.jir", s, true, []pass.Pass{{Name: c.name, Run: c.run}})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s, %s: %v", c.name, c.mode, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s, %s: %v, want %s", c.name, c.mode, err, c.want)
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
		if closeFloats(c.a, c.b) != c.want {
			t.Errorf("%#x, %#x: want %t", c.a, c.b, c.want)
		}
	}
}
