// SPDX-License-Identifier: MIT

package engine

import "jacquard.example/backend/intel/eu"

// padded is the memory of a buffer whose size is not a multiple of four.
type padded struct{ data, copy []byte }

// pad rounds the sizes of a dispatch's buffers up to dwords, as a launcher must: the size of a buffer's surface is a
// multiple of four, and the program may read all of a buffer's last, partial dword. The additional bytes are zero.
// The function that it returns copies the program's writes back to the original buffers.
func pad(d *eu.Dispatch) func() {
	var all []padded
	whole := func(b []byte) []byte {
		if len(b)%4 == 0 {
			return b
		}
		for _, p := range all {
			if &p.data[0] == &b[0] && len(p.data) == len(b) {
				return p.copy
			}
		}
		c := append(b[:len(b):len(b)], make([]byte, 4-len(b)%4)...)
		all = append(all, padded{b, c})
		return c
	}
	surfaces := make([]*eu.Surface, len(d.Surfaces))
	for i, s := range d.Surfaces {
		if s != nil && s.Image == nil && len(s.Data)%4 != 0 {
			s = &eu.Surface{Data: whole(s.Data)}
		}
		surfaces[i] = s
	}
	mappings := make([]eu.Mapping, len(d.Mappings))
	for i, m := range d.Mappings {
		m.Data = whole(m.Data)
		mappings[i] = m
	}
	d.Surfaces, d.Mappings = surfaces, mappings
	return func() {
		for _, p := range all {
			copy(p.data, p.copy)
		}
	}
}
