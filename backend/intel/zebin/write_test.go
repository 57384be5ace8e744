// SPDX-License-Identifier: MIT

package zebin

import (
	"bytes"
	stdelf "debug/elf"
	"reflect"
	"strings"
	"testing"
)

var written = Kernel{
	Name: "main", SIMD: 16, GRFs: 128, Barriers: 1, SLM: 4096, RequiredSize: [3]int{8, 4, 2}, LocalIDSize: 96,
	Args: []Argument{
		{Type: "arg_bypointer", Index: 0, AddrMode: "stateful", AddrSpace: "global", Access: "readonly"},
		{Type: "arg_bypointer", Index: 2, AddrMode: "stateful", AddrSpace: "image", Access: "writeonly", Image: "image_2d_array"},
		{Type: "arg_bypointer", Index: 3, AddrMode: "stateful", AddrSpace: "sampler", Access: "readwrite", Sampler: 5},
		{Type: "group_count", Offset: 0, Size: 12, Index: -1},
		{Type: "arg_byvalue", Offset: 32, Size: 20, Index: 1, Source: 4},
	},
	Bindings: []Binding{{BTI: 3, Index: 0}, {BTI: 4, Index: 2}},
	Buffers:  []Buffer{{Type: "scratch", Usage: "single_space", Size: 2048}},
}

// TestWrite reads a file back with the package's own reader and with the standard library's.
func TestWrite(t *testing.T) {
	code := bytes.Repeat([]byte{0x5A}, 48)
	file, err := Write(&written, code, nil, 0x1D)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	k := *m.Kernels[0]
	im, err := m.Link(&k, 0, 0, 0)
	if err != nil || !bytes.HasPrefix(im.Text, code) || len(bytes.Trim(im.Text[48:], "\x00")) != 0 || len(im.Text) < 48+128 ||
		len(im.Text)%64 != 0 {
		t.Errorf("the text has %d bytes: % x, %v", len(im.Text), im.Text, err)
	}
	k.text = 0
	if !reflect.DeepEqual(k, written) {
		t.Errorf("read back as\n%+v, want\n%+v", k, written)
	}

	f, err := stdelf.NewFile(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if f.Type != stdelf.ET_REL || f.Machine != 205 || f.Class != stdelf.ELFCLASS64 || f.Data != stdelf.ELFDATA2LSB || f.ABIVersion != 1 {
		t.Errorf("the header is %+v", f.FileHeader)
	}
	text := f.Section(".text.main")
	if text == nil || text.Type != stdelf.SHT_PROGBITS || text.Flags != stdelf.SHF_ALLOC|stdelf.SHF_EXECINSTR {
		t.Errorf("the text's section is %+v", text)
	}
	syms, err := f.Symbols()
	if err != nil || len(syms) != 2 || syms[0].Name != "main" || syms[0].Size != 48 || f.Sections[syms[0].Section] != text ||
		stdelf.ST_TYPE(syms[0].Info) != stdelf.STT_FUNC {
		t.Errorf("symbols %+v, %v", syms, err)
	}
	note := f.Section(".note.intelgt.compat")
	data, err := note.Data()
	if err != nil || note.Type != stdelf.SHT_NOTE ||
		!bytes.HasPrefix(data, []byte("\x08\x00\x00\x00\x04\x00\x00\x00\x01\x00\x00\x00IntelGT\x00\x00\x00\x00\x00"+
			"\x08\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00IntelGT\x00\x1D\x00\x00\x00")) {
		t.Errorf("the note is % x, %v", data, err)
	}
}

// TestWriteConstants links a file with constant data.
func TestWriteConstants(t *testing.T) {
	code := bytes.Repeat([]byte{0x5A}, 48)
	file, err := Write(&written, code, &Constants{Data: []byte("abcde"), Low: 12, High: 28}, 0x1D)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	im, err := m.Link(m.Kernels[0], 0x123456789A, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	copy(code[12:], "\x9A\x78\x56\x34")
	copy(code[28:], "\x12\x00\x00\x00")
	if !bytes.Equal(im.Text[:48], code) || string(im.Const) != "abcde\x00\x00\x00" {
		t.Errorf("linked as % x, % x", im.Text[:48], im.Const)
	}
	f, err := stdelf.NewFile(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	syms, err := f.Symbols()
	if err != nil || len(syms) != 3 || syms[2].Name != "main.constants" || syms[2].Size != 5 ||
		f.Section(".symtab").Info != 3 || f.Sections[syms[2].Section].Flags != stdelf.SHF_ALLOC {
		t.Errorf("symbols %+v, %v", syms, err)
	}
}

// TestWriteNames checks that names that would change the meaning of the file are rejected.
func TestWriteNames(t *testing.T) {
	for _, name := range []string{"", "a b", "a'b", "a\nkernels:", "ä", strings.Repeat("x", 2000)} {
		k := written
		k.Name = name
		if _, err := Write(&k, nil, nil, 1); err == nil || !strings.Contains(err.Error(), "the entry point's name") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
