// SPDX-License-Identifier: MIT

package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/core/wire"
	"jacquard.example/generated/kind"
)

// derefs has a deref of every kind, each used.
const derefs = `shader compute "main"
workgroup_size 1 1 1
struct S1 "In" {
  f32x4 "v" offset=0
  f32 "f" offset=16
}
struct S2 "B" block {
  [0 x S1, 32] "a" offset=0
}
var @1 "x" ssbo S2
var @2 "t" function_temp [3 x f32x4, 0] fn=1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = deref_var.32 modes=ssbo type=S2 var=@1 // &x
    %2 = deref_struct.32 %1 modes=ssbo type=[0 x S1, 32] // &x.a
    %3 = deref_array.32 %2, %0 modes=ssbo type=S1 in_bounds=true // &x.a[%0]
    %4 = deref_struct.32 %3 modes=ssbo type=f32 member=1 // &x.a[%0].f
    %5 = load_deref.32 %4
    %6 = deref_cast.32 %1 modes=ssbo type=f32 stride=4 align_mul=4 // &(f32 *)x
    %7 = deref_ptr_as_array.32 %6, %0 modes=ssbo type=f32 // &(f32 *)x[%0]
    store_deref.x1 %7, %5 write_mask=1
    %8 = deref_var.32 modes=function_temp type=[3 x f32x4, 0] var=@2 // &t
    %9 = deref_array_wildcard.32 %8 modes=function_temp type=f32x4 // &t[*]
    copy_deref %9, %9
}
`

func parse(t *testing.T, src string) *ir.Shader {
	t.Helper()
	s, err := text.Parse([]byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if err := validate.Shader(s); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return s
}

// ofKind lists the instructions of a kind.
func ofKind(s *ir.Shader, k kind.Kind) []ir.Value {
	var out []ir.Value
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if s.At(v).Kind == k {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// TestD01DerefIsComplete: the row of the kind deref provides everything that a kind needs: text and back, the binary
// form, copies that are equal and have the same hash, and checks.
func TestD01DerefIsComplete(t *testing.T) {
	s := parse(t, derefs)
	if got := string(text.Print(s)); got != derefs {
		t.Errorf("printed as\n%s", got)
	}
	back, err := wire.Unmarshal(wire.Marshal(s))
	if err != nil || string(text.Print(back)) != derefs {
		t.Errorf("binary form: %v", err)
	}
	seen := map[kind.DerefKind]bool{}
	var c ir.Cloner
	for _, v := range ofKind(s, kind.Deref) {
		seen[s.At(v).DerefKind()] = true
		c.Start(s)
		if n := c.Instr(v); !s.Equal(v, n) || s.Hash(s.At(v)) != s.Hash(s.At(n)) {
			t.Errorf("%s: the copy is not equal", text.Instr(s, v))
		}
	}
	if len(seen) != len(kind.EnumDerefKind.Names) {
		t.Errorf("kinds of derefs: %v", seen)
	}
	bad := strings.Replace(derefs, "%2, %0 modes=ssbo", "%2, %0 modes=shared", 1)
	broken, err := text.Parse([]byte(bad))
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Shader(broken); err == nil || !strings.Contains(err.Error(), "deref_array") {
		t.Errorf("a deref whose mode differs from its parent's: %v", err)
	}
}

// TestD03DerefFields checks the fields of derefs, by kind.
func TestD03DerefFields(t *testing.T) {
	for _, c := range []struct {
		kind   kind.DerefKind
		src    string
		fields string
	}{
		{kind.DerefVar, "", "modes type var"},
		{kind.DerefArray, "parent index", "modes type in_bounds"},
		{kind.DerefArrayWildcard, "parent", "modes type"},
		{kind.DerefPtrAsArray, "parent index", "modes type in_bounds"},
		{kind.DerefStruct, "parent", "modes type member"},
		{kind.DerefCast, "parent", "modes type stride align_mul align_offset"},
	} {
		sh := kind.Infos[kind.Deref].ShapeOf(uint16(c.kind))
		var fields []string
		for _, f := range sh.Fields {
			fields = append(fields, f.Name)
		}
		if got := strings.Join(fields, " "); got != c.fields {
			t.Errorf("%s has the fields %s, want %s", c.kind, got, c.fields)
		}
		if got := strings.Join(sh.Src, " "); got != c.src {
			t.Errorf("%s has the sources %s, want %s", c.kind, got, c.src)
		}
	}
	s := parse(t, derefs)
	for i, want := range []string{
		"&{x ssbo} 0 false 0", "&{x ssbo} 0 false 0", "&{x ssbo} 0 true 0", "&{x ssbo} 1 false 0",
		"&{ ssbo} 0 false 4", "&{ ssbo} 0 false 0", "&{t function_temp} 0 false 0", "&{t function_temp} 0 false 0",
	} {
		v := ofKind(s, kind.Deref)[i]
		name, member := "", uint32(0)
		inBounds, stride := false, uint32(0)
		if x := s.DerefVar(v); x != 0 {
			name = s.Strs.Text(s.Var(x).Name)
		}
		switch s.At(v).DerefKind() {
		case kind.DerefStruct:
			member = s.Words(v)[kind.FieldDerefStructMember]
		case kind.DerefArray:
			inBounds = s.Words(v)[kind.FieldDerefArrayInBounds] != 0
		case kind.DerefCast:
			stride = s.Words(v)[kind.FieldDerefCastStride]
		}
		if got := fmt.Sprintf("&{%s %s} %d %v %d", name, s.Modes(v), member, inBounds, stride); got != want {
			t.Errorf("%s: %s, want %s", text.Instr(s, v), got, want)
		}
	}
}

// TestD04DerefSources: a new deref is zeroed. It has a parent unless it is of a variable, and an index only if it
// selects an element.
func TestD04DerefSources(t *testing.T) {
	sources := map[kind.DerefKind]int{
		kind.DerefVar: 0, kind.DerefArray: 2, kind.DerefArrayWildcard: 1, kind.DerefPtrAsArray: 2, kind.DerefStruct: 1, kind.DerefCast: 1,
	}
	s := parse(t, derefs)
	for _, v := range ofKind(s, kind.Deref) {
		k := s.At(v).DerefKind()
		if n := int(s.At(v).NSrc); n != sources[k] {
			t.Errorf("%s: %d sources, want %d", text.Instr(s, v), n, sources[k])
		}
	}
	fresh := s.New(kind.Deref, uint16(kind.DerefCast), 1, 5)
	for i, w := range s.Words(fresh) {
		if w != 0 {
			t.Errorf("word %d of a new deref is %d", i, w)
		}
	}
	if s.Src(fresh, 0).Val != 0 || s.At(fresh).Used() {
		t.Error("a new deref reads something or is read")
	}
}

// TestD05DerefHasOneResult: the result of a deref is the pointer, named by the deref's own handle.
func TestD05DerefHasOneResult(t *testing.T) {
	s := parse(t, derefs)
	for _, v := range ofKind(s, kind.Deref) {
		if in := s.At(v); !in.HasResult() || in.Comps != 1 {
			t.Errorf("%s has no result of one component", text.Instr(s, v))
		}
		for u := range s.Uses(v) {
			if s.UseSrc(u).Val != v {
				t.Errorf("a use of %s reads another value", text.Instr(s, v))
			}
		}
		if !s.At(v).Used() {
			t.Errorf("nothing reads %s", text.Instr(s, v))
		}
	}
}

// TestD06SourceOrder checks that the sources of a deref are its parent, then its index.
func TestD06SourceOrder(t *testing.T) {
	s := parse(t, derefs)
	index := ofKind(s, kind.Intrinsic)[0]
	for _, v := range ofKind(s, kind.Deref) {
		switch k := s.At(v).DerefKind(); {
		case k == kind.DerefVar:
			continue
		case k != kind.DerefCast && s.At(s.Src(v, 0).Val).Kind != kind.Deref:
			t.Errorf("%s: the parent is not the first source", text.Instr(s, v))
		}
		if s.At(v).NSrc == 2 && s.Src(v, 1).Val != index {
			t.Errorf("%s: the index is not the second source", text.Instr(s, v))
		}
	}
}

// TestD14ModeQueries compares the three queries with their definitions, over all sets of the four generic modes: may_be
// holds if some memory in the set has one of the asked modes, must_be if all of it has. is holds if the sets are equal,
// and panics if they overlap but differ.
func TestD14ModeQueries(t *testing.T) {
	all := []kind.Mode{kind.ModeGlobal, kind.ModeShared, kind.ModeFunctionTemp, kind.ModeShaderTemp}
	set := func(bits int) (m kind.Mode) {
		for i, x := range all {
			if bits>>i&1 != 0 {
				m |= x
			}
		}
		return m
	}
	for d := 1; d < 16; d++ {
		for a := 1; a < 16; a++ {
			some, every := false, true
			for i := range all {
				if d>>i&1 != 0 {
					some = some || a>>i&1 != 0
					every = every && a>>i&1 != 0
				}
			}
			modes, asked := set(d), set(a)
			if got := ir.ModeMayBe(modes, asked); got != some {
				t.Errorf("%s may be %s: %v", modes, asked, got)
			}
			if got := ir.ModeMustBe(modes, asked); got != every {
				t.Errorf("%s must be %s: %v", modes, asked, got)
			}
			func() {
				defer func() {
					if refused := recover() != nil; refused != (some && d != a) {
						t.Errorf("%s is %s: refused %v", modes, asked, refused)
					}
				}()
				if got := ir.ModeIs(modes, asked); got != (d == a) {
					t.Errorf("%s is %s: %v", modes, asked, got)
				}
			}()
		}
	}
}

// TestD13ModesAreKept: a deref has the set of modes that its memory may have. The set survives text, the binary form
// and cloning, also if no variable is known.
func TestD13ModesAreKept(t *testing.T) {
	const src = `shader compute "main"
workgroup_size 1 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_const.64 value=(0x0, 0x0)
    %1 = deref_cast.64 %0 modes=shared|global type=u32 // &(u32 *)%0
    %2 = load_deref.32 %1
    %3 = deref_cast.64 %0 modes=constant type=u32 // &(u32 *)%0
    %4 = load_deref.32 %3
}
`
	s := parse(t, src)
	if got := string(text.Print(s)); !strings.Contains(got, "modes=shared|global ") || !strings.Contains(got, "modes=constant ") {
		t.Errorf("printed as\n%s", got)
	}
	back, err := wire.Unmarshal(wire.Marshal(s))
	if err != nil || string(text.Print(back)) != string(text.Print(s)) {
		t.Errorf("binary form: %v", err)
	}
	d := ofKind(s, kind.Deref)
	if s.DerefVar(d[0]) != 0 || s.Modes(d[0]) != kind.ModeShared|kind.ModeGlobal || s.Modes(d[1]) != kind.ModeConstant {
		t.Errorf("modes %s and %s", s.Modes(d[0]), s.Modes(d[1]))
	}
}
