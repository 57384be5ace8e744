// SPDX-License-Identifier: MIT

package vars

import (
	"encoding/binary"
	"math"
	"testing"

	"jacquard.example/core/num"
)

// TestTableNeeds checks how many bits hold the components of tables.
func TestTableNeeds(t *testing.T) {
	for _, c := range []struct {
		bits uint8
		data []uint64
		want [3]uint8
	}{
		{32, []uint64{0, 0}, [3]uint8{1, 1, 16}},
		{32, []uint64{0, 1}, [3]uint8{1, 2, 64}},
		{32, []uint64{0, 1<<32 - 1}, [3]uint8{32, 1, 64}},
		{32, []uint64{15}, [3]uint8{4, 8, 64}},
		{32, []uint64{16}, [3]uint8{8, 8, 64}},
		{32, []uint64{1<<32 - 8, 7}, [3]uint8{32, 4, 64}},
		{32, []uint64{1<<32 - 128, 127}, [3]uint8{32, 8, 64}},
		{32, []uint64{1<<32 - 129}, [3]uint8{32, 16, 64}},
		{32, []uint64{255}, [3]uint8{8, 16, 64}},
		{32, []uint64{65535}, [3]uint8{16, 32, 64}},
		{32, []uint64{0x3f800000, 0}, [3]uint8{32, 32, 16}},
		{16, []uint64{0xffff, 3}, [3]uint8{16, 4, 64}},
		{64, []uint64{1<<64 - 5}, [3]uint8{64, 4, 64}},
		{64, []uint64{1 << 31}, [3]uint8{32, 64, 64}},
	} {
		var data []byte
		for _, k := range c.data {
			data = append(data, binary.LittleEndian.AppendUint64(nil, k)[:c.bits/8]...)
		}
		if got := (&table{data: data}).needs(c.bits); got != c.want {
			t.Errorf("%d bits %#x: %d, want %d", c.bits, c.data, got, c.want)
		}
	}
}

// TestTableHalves: only normal 16-bit floats and zero replace 32-bit floats, since the conversion of others depends on
// the modes of the shader.
func TestTableHalves(t *testing.T) {
	for h := range 1 << 16 {
		x := math.Float32bits(num.F16ToF32(uint16(h)))
		exp := h >> 10 & 31
		if got, want := isHalf(x), exp != 31 && exp != 0 || h == 0; got != want {
			t.Errorf("%#x: %v", h, got)
		}
		if isHalf(x + 1) {
			t.Errorf("%#x: the next float counts as a half", h)
		}
	}
}

// TestStoredTable checks the data of narrowed tables.
func TestStoredTable(t *testing.T) {
	x := &table{data: []byte{0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0}, form: tableForm{bits: 8, wider: signExtended}}
	if got := x.stored(32); string(got) != "\xff\x02" {
		t.Errorf("bytes: % x", got)
	}
	x = &table{data: binary.LittleEndian.AppendUint32(nil, math.Float32bits(-2.5)), form: tableForm{bits: 16, wider: fromHalf}}
	if got := x.stored(32); string(got) != "\x00\xc1" {
		t.Errorf("halves: % x", got)
	}
}
