// SPDX-License-Identifier: MIT

package ir

import (
	"fmt"
	"testing"
)

// TestIntern: many strings and types have distinct handles, which are the same whenever they are interned again, and a
// shader that is reset has none of them.
func TestIntern(t *testing.T) {
	s := New()
	for _, n := range []int{5000, 3, 0, 300} {
		s.Reset()
		for range 2 {
			for i := range n {
				text := fmt.Sprintf("name %d", i)
				h := s.Strs.Intern(text)
				if h != Str(i+1) || s.Strs.InternBytes([]byte(text)) != h || s.Strs.Text(h) != text {
					t.Fatalf("%q is %d: %q", text, h, s.Strs.Text(h))
				}
				if h := s.Types.Array(0, uint32(i), 4); h != Type(2*i+1) {
					t.Fatalf("array %d is type %d", i, h)
				}
				if h := s.Types.Struct(TypeInfo{Name: 1}, []Member{{Type: 1, Offset: uint32(i)}}); h != Type(2*i+2) {
					t.Fatalf("struct %d is type %d", i, h)
				}
			}
		}
		if s.Strs.Intern("") != 0 || s.Strs.Text(0) != "" || s.Types.Intern(TypeInfo{}) != 0 {
			t.Error("the empty string and void do not have handle 0")
		}
	}
}

// TestInternFields: types that differ in any one field are different.
func TestInternFields(t *testing.T) {
	s := New()
	seen := map[Type]string{}
	note := func(h Type, what string) {
		if old, ok := seen[h]; ok {
			t.Errorf("%s and %s are both type %d", old, what, h)
		}
		seen[h] = what
	}
	for i, x := range []TypeInfo{
		{}, {Kind: TypeImage}, {Bits: 1}, {RowMajor: true}, {Arrayed: true}, {Multisampled: true}, {Shadow: true}, {Storage: true},
		{Block: true}, {Dim: 1}, {Format: 1}, {Modes: 1}, {Elem: 1}, {Len: 1}, {Stride: 1}, {Size: 1}, {Name: 1},
	} {
		note(s.Types.Intern(x), fmt.Sprint("info ", i))
	}
	for i, m := range []Member{
		{}, {Type: 1}, {Offset: 1}, {Name: 1}, {Stride: 1}, {RowMajor: true}, {Access: 1}, {Builtin: 1}, {Location: 1}, {Comp: 1}, {Qual: 1},
	} {
		note(s.Types.Struct(TypeInfo{}, []Member{m}), fmt.Sprint("member ", i))
		note(s.Types.Struct(TypeInfo{}, []Member{{}, m}), fmt.Sprint("second member ", i))
	}
}
