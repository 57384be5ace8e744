// SPDX-License-Identifier: MIT

package engine

import (
	"bytes"
	"testing"

	"jacquard.example/backend/intel/eu"
)

// TestSurfacesEndWithDwords: surfaces and mapped memory end with a whole dword. If they are the same memory, they
// share one copy. Writes to bytes of the buffer reach it.
func TestSurfacesEndWithDwords(t *testing.T) {
	data, whole := []byte{1, 2, 3, 4, 5, 6}, []byte{1, 2, 3, 4}
	d := &eu.Dispatch{Surfaces: []*eu.Surface{{Data: data}, nil, {Data: whole}}, Mappings: []eu.Mapping{{Data: data}}}
	back := pad(d)
	if got := d.Surfaces[0].Data; !bytes.Equal(got, []byte{1, 2, 3, 4, 5, 6, 0, 0}) {
		t.Errorf("a surface of six bytes is %v", got)
	}
	if got := d.Surfaces[2].Data; &got[0] != &whole[0] || len(got) != len(whole) {
		t.Error("a surface of four bytes is another")
	}
	if got := d.Mappings[0].Data; len(got) != 8 || &got[0] != &d.Surfaces[0].Data[0] {
		t.Errorf("the same memory, mapped, is %v", got)
	}
	d.Surfaces[0].Data[5], d.Surfaces[0].Data[6] = 9, 9
	back()
	if want := []byte{1, 2, 3, 4, 5, 9}; !bytes.Equal(data, want) {
		t.Errorf("the buffer is %v after the program, want %v", data, want)
	}
}
