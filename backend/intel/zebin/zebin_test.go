// SPDX-License-Identifier: MIT

package zebin

import (
	"encoding/binary"
	"strings"
	"testing"

	"jacquard.example/tests/support/variants"
)

// elf returns a file of sections, to which it adds the table of their names.
func elf(secs []section) []byte {
	secs = append([]section{{}}, secs...)
	secs = append(secs, section{name: ".strtab", typ: 3})
	names := []byte{0}
	at := make([]uint32, len(secs))
	for i, s := range secs {
		if s.name != "" {
			at[i] = uint32(len(names))
			names = append(append(names, s.name...), 0)
		}
	}
	secs[len(secs)-1].data = names
	le := binary.LittleEndian
	file := make([]byte, 64)
	copy(file, "\x7fELF\x02\x01\x01\x00\x01")
	le.PutUint16(file[16:], 1)
	le.PutUint16(file[18:], 205)
	var table []byte
	for i, s := range secs {
		h := make([]byte, 64)
		le.PutUint32(h, at[i])
		le.PutUint32(h[4:], s.typ)
		le.PutUint64(h[24:], uint64(len(file)))
		le.PutUint64(h[32:], uint64(len(s.data)))
		le.PutUint32(h[40:], s.link)
		le.PutUint32(h[44:], s.info)
		table = append(table, h...)
		file = append(file, s.data...)
	}
	le.PutUint64(file[40:], uint64(len(file)))
	le.PutUint16(file[58:], 64)
	le.PutUint16(file[60:], uint16(len(secs)))
	le.PutUint16(file[62:], uint16(len(secs)-1))
	return append(file, table...)
}

const info = `---
version:         '1.20'
kernels:
  - name:            k
    execution_env:
      barrier_count:   1
      grf_count:       128
      required_work_group_size: [ 16, 4, 1 ]
      simd_size:       16
      slm_size:        2048
    payload_arguments:
      - arg_type:        global_id_offset
        offset:          0
        size:            12
      - arg_type:        arg_bypointer
        offset:          0
        size:            0
        arg_index:       3
        addrmode:        stateful
        addrspace:       global
        access_type:     readonly
      - arg_type:        arg_byvalue
        offset:          36
        size:            4
        arg_index:       0
        source_offset:   8
      - arg_type:        arg_bypointer
        offset:          0
        size:            0
        arg_index:       1
        addrmode:        stateful
        addrspace:       sampler
        access_type:     readwrite
        sampler_index:   3
    per_thread_payload_arguments:
      - arg_type:        local_id
        offset:          0
        size:            96
    binding_table_indices:
      - bti_value:       7
        arg_index:       3
    inline_samplers:
      - sampler_index:   4
        addrmode:        clamp_edge
        filtermode:      nearest
      - sampler_index:   5
        addrmode:        repeat
        filtermode:      linear
        normalized:      true
    per_thread_memory_buffers:
      - type:            scratch
        usage:           single_space
        size:            2048
  - name:            Intel_Symbol_Table_Void_Program
    execution_env:
      simd_size:       8
...
`

// sample returns a file with one kernel, one constant and relocations to it.
func sample(yaml string) []byte {
	le := binary.LittleEndian
	sym := make([]byte, 48)
	le.PutUint16(sym[24+6:], 2) // .data.const
	le.PutUint64(sym[24+8:], 4)
	rel := func(off, typ uint64) []byte {
		b := le.AppendUint64(nil, off)
		return le.AppendUint64(b, 1<<32|typ)
	}
	text := make([]byte, 64)
	return elf([]section{
		{name: ".text.k", typ: 1, data: text},
		{name: ".data.const", typ: 1, data: []byte{1, 2, 3, 4, 5, 6, 7, 8, 0x10, 0, 0, 0, 0, 0, 0, 0}},
		{name: ".symtab", typ: shtSymtab, link: 7, data: sym},
		{name: ".rel.text.k", typ: shtRel, link: 3, info: 1, data: append(rel(12, 2), rel(28, 3)...)},
		{name: ".rel.data.const", typ: shtRel, link: 3, info: 2, data: rel(8, 1)},
		{name: ".ze_info", typ: shtZEInfo, data: []byte(yaml)},
	})
}

func TestRead(t *testing.T) {
	m, err := Read(sample(info))
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("")
	if err != nil {
		t.Fatal(err)
	}
	if k.Name != "k" || k.SIMD != 16 || k.SLM != 2048 || k.Barriers != 1 || k.RequiredSize != [3]int{16, 4, 1} || k.LocalIDSize != 96 || k.BlockSize() != 64 {
		t.Errorf("%+v", k)
	}
	if len(k.Args) != 4 || k.Args[3].Sampler != 3 ||
		k.Args[1] != (Argument{Type: "arg_bypointer", Index: 3, AddrMode: "stateful", AddrSpace: "global", Access: "readonly"}) ||
		k.Args[2].Source != 8 {
		t.Errorf("%+v", k.Args)
	}
	if len(k.Bindings) != 1 || k.Bindings[0] != (Binding{7, 3}) || len(k.Buffers) != 1 || k.Buffers[0].Size != 2048 {
		t.Errorf("%+v %+v", k.Bindings, k.Buffers)
	}
	if len(k.Samplers) != 2 || k.Samplers[0] != (Sampler{4, "clamp_edge", "nearest", false}) ||
		k.Samplers[1] != (Sampler{5, "repeat", "linear", true}) {
		t.Errorf("%+v", k.Samplers)
	}
	const at = 0x5_0000_1000
	im, err := m.Link(k, at, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	if lo, hi := le.Uint32(im.Text[12:]), le.Uint32(im.Text[28:]); lo != 0x1004 || hi != 5 {
		t.Errorf("code has %x %x", lo, hi)
	}
	if v := le.Uint64(im.Const[8:]); v != at+4+0x10 {
		t.Errorf("data has %x", v)
	}
	if m.Const[8] != 0x10 {
		t.Error("linking changed the module")
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"simd_size:       16", "simd_size:       12", "simd_size must be 1, 8, 16 or 32, not 12"},
		{"simd_size:       16", "simd_size:       x", "is not a number"},
		{"name:            k", "name:            other", `"other" has no code`},
		{"bti_value:       7", "bti_value:       300", "binding table index 300"},
		{"arg_type:        local_id", "arg_type:        nothing", "per-thread argument"},
		{"        size:            96", "\t\tsize:            96", "a tab"},
		{"slm_size:        2048", "slm_size:        99999999", "slm_size"},
		{"[ 16, 4, 1 ]", "[ 16, 4", "an unterminated list"},
		{"  - name:            Intel", "   - name:            Intel", "indentation"},
		{"sampler_index:   3", "sampler_index:   16", "argument out of range: offset 0"},
		{"sampler_index:   5", "sampler_index:   16", "invalid sampler_index 16"},
		{"offset:          36", "offset:          5000", "argument out of range: offset 5000"},
	} {
		yaml := strings.Replace(info, c.from, c.to, 1)
		if yaml == info {
			t.Fatalf("%q is not in the text", c.from)
		}
		if _, err := Read(sample(yaml)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.to, err, c.want)
		}
	}
	file := sample(info)
	for n := 0; n < len(file); n++ {
		if _, err := Read(file[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", n, len(file))
		}
	}
}

func FuzzRead(fuzz *testing.F) {
	f := variants.Of(fuzz)
	f.Add(sample(info))
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := Read(file)
		if err != nil {
			return
		}
		for _, k := range m.Kernels {
			k.BlockSize()
			m.Link(k, 1, 2, 3)
		}
	})
}

// FuzzInfo fuzzes only the description.
func FuzzInfo(fuzz *testing.F) {
	f := variants.Of(fuzz)
	f.Add(info)
	f.Add("kernels: [ a, b ]\n- x\n")
	f.Fuzz(func(t *testing.T, yaml string) { Read(sample(yaml)) })
}
