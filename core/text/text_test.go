// SPDX-License-Identifier: MIT

package text_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/trips"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/variants"
)

// sample returns a shader that uses everything: derefs of every kind, control flow, phis, calls, images, textures.
func sample() *ir.Shader {
	s := ir.New()
	s.Info.Entry = s.Strs.Intern("main")
	s.Info.WorkgroupSize = [3]uint32{8, 4, 1}
	tt := &s.Types
	f32 := tt.Scalar(ir.TypeFloat, 32)
	vec4 := tt.Vector(f32, 4)
	name := s.Strs.Intern
	inner := tt.Struct(ir.TypeInfo{Name: name("In")},
		[]ir.Member{{Type: vec4, Offset: 0, Name: name("v")}, {Type: f32, Offset: 16, Name: name("f")}})
	block := tt.Struct(ir.TypeInfo{Name: name("B"), Block: true},
		[]ir.Member{{Type: tt.Array(inner, 0, 32), Offset: 0, Name: name("a")}})
	buf := s.NewVar(ir.VarInfo{
		Name: name("x"), Mode: kind.ModeSSBO, Type: block, Set: 1, Binding: 2, Location: -1,
		Access: kind.AccessNonReadable | kind.AccessCoherent,
	})
	img := s.NewVar(ir.VarInfo{
		Name: name("im"), Mode: kind.ModeImage, Location: -1,
		Type: tt.Intern(ir.TypeInfo{Kind: ir.TypeImage, Elem: f32, Dim: kind.Dim2D, Format: kind.FormatRgba8, Storage: true}),
	})
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	arr := s.NewVar(ir.VarInfo{
		Name: name("tmp"), Mode: kind.ModeFunctionTemp, Type: tt.Array(vec4, 3, 0), Func: f, Location: -1, ZeroInit: true,
	})
	g := s.NewFunc("helper", ir.Param{Comps: 1, Bits: 32})
	b := build.New(s)
	b.Float = uint16(kind.FloatContract | kind.FloatNsz)
	b.AtEnd(s.FirstBlock(g))
	b.LoadParam(1, 32, 0)
	b.Jump(kind.JumpReturn)

	entry := s.FirstBlock(f)
	b.AtEnd(entry)
	b.Loc = s.Locs.New(ir.Location{File: s.Strs.Intern("a \"b\".comp"), Line: 3, Column: 7})
	i := b.LoadLocalInvocationIndex(32)
	d := b.DerefStruct(b.DerefArray(b.DerefStruct(b.DerefVar(buf), 0), i), 0)
	v := b.LoadDeref(4, 32, s.All(d), kind.AccessCoherent)
	one := b.Const(32, 0x3f800000)
	big := b.Const(64, 1<<40, 3)
	_ = b.IAdd(big, big)
	sum := b.FAdd(v.Swizzle("wzyx"), one)
	cond := b.FLt(sum.X(), one)
	b.CopyDeref(s.All(b.DerefArrayWildcard(b.DerefVar(arr))), s.All(b.DerefArrayWildcard(b.DerefVar(arr))), 0, 0)
	c := b.DerefCast(i, kind.ModeShared|kind.ModeGlobal, vec4, 16)
	b.DerefPtrAsArray(c, i)
	zero := b.Const(32, 0, 0, 0, 0)
	b.ImageAtomicAdd(32, zero, zero.X(), i, s.All(b.DerefVar(img)), kind.Dim2D, false, kind.FormatR32ui, 0, kind.BaseUint, kind.FormDeref)
	b.TexTxl(4, 32, kind.Dim2D, kind.TexFlagShadow, kind.BaseFloat, 0, []kind.TexSrc{kind.TexSrcCoord, kind.TexSrcLOD}, v.Swizzle("xy"), one)
	b.Call(g, i)
	b.Barrier(kind.ScopeWorkgroup, kind.ScopeWorkgroup, kind.SemAcquire|kind.SemRelease, kind.ModeShared)
	iff := s.InsertIf(entry, cond)
	s.Node(iff).Hints = ir.HintFlatten
	b.AtEnd(s.Then(iff))
	two := b.FMul(sum, one)
	b.AtStart(s.NextNode(iff))
	phi := b.Phi(4, 32, 2)
	s.AddPhiSrc(phi, s.Then(iff), two)
	s.AddPhiSrc(phi, s.Else(iff), sum)
	loop := s.InsertLoop(s.NextNode(iff))
	b.AtEnd(s.Body(loop))
	b.StoreDeref(s.All(d), s.All(phi), 5, 0)
	b.Jump(kind.JumpBreak)
	return s
}

func roundTrip(t *testing.T, s *ir.Shader) string {
	t.Helper()
	first := text.Print(s)
	back, err := text.Parse(first)
	if err != nil {
		t.Fatalf("%v\n%s", err, first)
	}
	second := text.Print(back)
	if string(first) != string(second) {
		t.Fatalf("text changed when read and printed again:\n%s\n--- then ---\n%s", first, second)
	}
	return string(first)
}

func TestRoundTrip(t *testing.T) {
	got := roundTrip(t, sample())
	golden := filepath.Join("testdata", "sample.jir")
	if os.Getenv("BLESS") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("printed text differs from %s (BLESS=1 rewrites it):\n%s", golden, got)
	}
}

// TestD02DerefKindsRoundTrip: every kind of deref is printed and parsed.
func TestD02DerefKindsRoundTrip(t *testing.T) {
	got := roundTrip(t, sample())
	for _, k := range kind.EnumDerefKind.Names {
		if !strings.Contains(got, "deref_"+k) {
			t.Errorf("no deref_%s in the text", k)
		}
	}
}

// TestD11DerefChainComment: a deref is printed as a link and, in a comment that the parser skips, as the whole chain.
func TestD11DerefChainComment(t *testing.T) {
	got := roundTrip(t, sample())
	for _, want := range []string{"deref_var.32 modes=ssbo type=S2 var=@1 // &x\n", "// &x.a[%0].v\n"} {
		if !strings.Contains(strings.ReplaceAll(got, " !\"a \\\"b\\\".comp\":3:7", ""), want) {
			t.Errorf("missing %q in\n%s", want, got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	head := "shader compute \"main\"\n"
	for _, c := range []struct{ text, want string }{
		{"", "1:1: expected a shader, which starts with the word 'shader', found end of file"},
		{"shader pixel \"x\"\n", "1:8: stage has no value \"pixel\""},
		{head + "fn 1 \"m\"() {\n}\n", "3:1: a list of nodes must end with a block"},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = foo.32 %0\n}\n", "4:8: unknown instruction \"foo\""},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = ineg.32 %7\n}\n", "4:16: value %7 is not defined"},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = ineg.33 %7\n}\n", "4:8: 33 is not a bit size"},
		{head + "fn 1 \"m\"() {\nb0:\n  jump_return\n  %1 = load_const.32 value=(0x1)\n}\n", "5:3: an instruction follows the jump that ends the block"},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = load_const.32 vale=(0x1)\n}\n", "4:22: load_const.32 has no field \"vale\""},
		{head + "var @1 \"x\" ssbo S1\n", "2:17: struct S1 is not declared above"},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = ineg.32\n}\n", "4:8: ineg.32 has 1 sources, not 0"},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = phi.32 %1\n}\n", "4:8: every source of phi.32 must be preceded by its block"},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = undef.32\n  %1 = undef.32\n}\n", "5:3: value %1 is defined twice"},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = jump_return\n}\n", "4:3: jump_return: an instruction with a size has a result, and one without has none"},
		{head + "fn 1 \"m\"() {\nb0:\n  ineg.32 %1\n}\n", "4:3: ineg: an instruction with a size has a result, and one without has none"},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = undef.32x2\n  %2 = ineg.32 %1.z\n}\n", "5:16: there is no component 2; the value has 2"},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = undef.32\n  %2 = ineg.32 %1, %1\n}\n", "5:8: ineg.32 has 1 sources, not 2"},
		{head + "fn 1 \"m\"() {\nb0:\n  %1 = undef.32x17\n}\n", "4:8: 17 components; must be 1 to 16"},
		{head + "fn 1 \"m\"() {\nb0:\n}\nfn 1 \"n\"() {\nb1:\n}\n", "5:4: function 1 is declared twice"},
		{head + "fn 1 \"m\"() {\nb0:\nloop {\nb0:\n}\nb1:\n}\n", "5:1: block b0 occurs twice"},
		{head + "var @1 \"x\" ssbo u32\nvar @1 \"x\" ssbo u32\n", "3:5: variable @1 is declared twice or is 0"},
		{head + "fn 1 \"m\"() {\nb0:\n" + "loop {\nb1:\n}\nloop {\n", "7:1: a loop must be preceded by a block"},
		{head + "var @1 \"x\" ssbo " + strings.Repeat("[1 x ", 300), "2:1297: types are nested too deeply"},
		{head + "fn 1 \"m\"() {\nb0:\nloop trips=0 {\n", "4:12: a loop has one number of iterations, from 1 to 2147483647"},
		{head + "fn 1 \"m\"() {\nb0:\nloop trips=3 max_trips=4 {\n", "4:24: a loop has one number of iterations, from 1 to 2147483647"},
		{head + "fn 1 \"m\"() {\nb0:\nloop trips 3 {\n", "4:12: expected '=', found '3'"},
		{head + "fn 1 \"m\"() {\nb0:\n" + nested(300), "515:1: ifs and loops are nested too deeply"},
		{head + "var @1 \"x\" ssbo pointer(u32, ssbo, 256)\n", "2:36: \"256\" is not a number of at most 8 bits"},
		{head + "var @1 \"x\" shader_in u32 location=2147483648\n", "2:35: 2147483648 is too large; the maximum is 2147483647"},
		{head + "var @1 \"x\" shader_in u32 builtin=4294967295\n", "2:34: 4294967295 is too large; the maximum is 4294967294"},
		{head + "struct S1 \"x\" {\nu32 \"a\" offset=4294967295\n}\n", "3:16: 4294967295 is too large; the maximum is 4294967294"},
		{head + "struct S1 \"x\" {\nu32 \"a\" location=4294967295\n}\n", "3:18: 4294967295 is too large; the maximum is 4294967294"},
		{head + "$", "2:1: unexpected character '$'"},
		{head + "workgroup_size 8 0 1\n", "2:18: a size is 0; the minimum is 1"},
		{head + "const_data 1", "2:12: constant data is not hexadecimal"},
	} {
		_, err := text.Parse([]byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// nested returns n nested loops, without their ends.
func nested(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "loop {\nb%d:\n", i+1)
	}
	return b.String()
}

func FuzzParse(fuzz *testing.F) {
	f := variants.Of(fuzz)
	f.Add(string(text.Print(sample())))
	f.Add("shader compute \"main\"\nfn 1 \"m\"() {\nb0:\n loop {\nb1:\n}\nb2:\n}\n")
	f.Fuzz(func(t *testing.T, src string) {
		s, err := text.Parse([]byte(src))
		if err != nil {
			return
		}
		roundTrip(t, s)
	})
}

// TestTrips checks that trip counts are printed and parsed.
func TestTrips(t *testing.T) {
	for _, c := range []trips.Count{trips.Unknown, trips.Exactly(1), trips.Exactly(trips.Max), trips.AtMost(1), trips.AtMost(64)} {
		s := ir.New()
		f := s.NewFunc("main")
		s.Func(f).Entry = true
		loop := s.InsertLoop(s.FirstBlock(f))
		s.Node(loop).Hints = ir.HintUnroll
		s.Node(loop).Trips = c
		back, err := text.Parse(text.Print(s))
		if err != nil {
			t.Fatal(err)
		}
		n := back.NextNode(back.FirstBlock(back.Entry()))
		if got := back.Node(n).Trips; got != c || back.Node(n).Hints != ir.HintUnroll {
			t.Errorf("%v is read as %v", c, got)
		}
	}
}
