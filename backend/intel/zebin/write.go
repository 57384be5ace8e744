// SPDX-License-Identifier: MIT

package zebin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// Version is the version of .ze_info that [Write] follows.
const Version = "1.20"

// Constants is the constant data of a kernel.
type Constants struct {
	Data []byte
	// Low and High are the offsets in the code of the immediates that the runtime replaces by the halves of the address
	// of the data.
	Low, High int
}

// Unrelocated is the value of the immediates before they are replaced.
const Unrelocated = 0x6E10CA2E

// Types and attributes of sections, and of symbols: the type and, in the upper half, the binding.
const (
	progbits = 1
	strtab   = 3
	note     = 7

	alloc = 2
	exec  = 4

	localFunc    = 2
	globalObject = 1<<4 | 1
)

// Write returns a binary of one kernel: its code, its constant data unless c is nil, .ze_info, a symbol for the code, and
// a note that names the family of graphics cores, which all its products load. A runtime rejects the binary if the note
// does not name the family of its device (zebin specification, elf.md).
func Write(k *Kernel, code []byte, c *Constants, family int) ([]byte, error) {
	if err := checkName(k.Name); err != nil {
		return nil, err
	}
	// Hardware prefetches past the end of the code (elf.md, "text sections").
	text := make([]byte, (len(code)+128+63)&^63)
	copy(text, code)
	f := &elfWriter{names: []byte{0}}
	f.section(section{}, 0, 0)
	textIndex := f.section(section{name: textPrefix + k.Name, typ: progbits, data: text}, alloc|exec, 0)
	data := 0
	if c != nil {
		padded := append(bytes.Clone(c.Data), make([]byte, -len(c.Data)&3)...) // the last bytes are read as a dword
		data = f.section(section{name: ".data.const", typ: progbits, data: padded}, alloc, 0)
	}
	symtab := f.section(section{name: ".symtab", typ: shtSymtab}, 0, symbolBytes)
	if c != nil {
		rel := section{name: ".rel.text." + k.Name, typ: shtRel, link: uint32(symtab), info: uint32(textIndex)}
		for _, r := range []struct{ at, typ int }{{c.Low, relAddr32}, {c.High, relAddrHi}} {
			rel.data = binary.LittleEndian.AppendUint64(rel.data, uint64(r.at))
			rel.data = binary.LittleEndian.AppendUint64(rel.data, constantsSymbol<<32|uint64(r.typ))
		}
		f.section(rel, 0, relBytes)
	}
	f.section(section{name: ".ze_info", typ: shtZEInfo, data: k.info()}, 0, 0)
	f.section(section{name: ".note.intelgt.compat", typ: note, data: compat(family)}, 0, 0)
	f.section(section{name: ".strtab", typ: strtab}, 0, 0)

	last := len(f.secs) - 1
	syms := make([]byte, symbolBytes) // the null symbol
	syms = f.symbol(syms, k.Name, localFunc, textIndex, len(code))
	syms = f.symbol(syms, "_entry", localFunc, textIndex, 0)
	locals := len(syms) / symbolBytes
	if c != nil {
		syms = f.symbol(syms, k.Name+".constants", globalObject, data, len(c.Data))
	}
	f.secs[symtab].data, f.secs[symtab].link, f.secs[symtab].info = syms, uint32(last), uint32(locals)
	f.secs[last].data = f.names
	return f.file(), nil
}

// symbolBytes and relBytes are the sizes of entries; constantsSymbol is the index of the symbol of the constant data.
const (
	symbolBytes     = 24
	relBytes        = 16
	constantsSymbol = 3
)

// symbol appends a symbol of the start of a section.
func (f *elfWriter) symbol(syms []byte, name string, typ byte, sec, size int) []byte {
	le := binary.LittleEndian
	syms = le.AppendUint32(syms, f.name(name))
	syms = append(syms, typ, 0)
	syms = le.AppendUint16(syms, uint16(sec))
	syms = le.AppendUint64(syms, 0)
	return le.AppendUint64(syms, uint64(size))
}

// checkName rejects names that cannot be written in .ze_info or in the name of a section.
func checkName(name string) error {
	for _, c := range []byte(name) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c == '-' {
			continue
		}
		return errorf("the entry point's name %q cannot be a kernel's: only letters, digits, '_', '.', '$' and '-' can", name)
	}
	if name == "" || len(name) > maxName-len(textPrefix) {
		return errorf("the entry point's name has %d bytes; a kernel's has 1 to %d", len(name), maxName-len(textPrefix))
	}
	return nil
}

// elfWriter collects sections.
type elfWriter struct {
	secs  []section
	attrs []struct{ name, flags, entry uint32 }
	names []byte // .strtab, also for the names of symbols
}

// name adds a string to the table of names and returns its offset.
func (f *elfWriter) name(s string) uint32 {
	at := len(f.names)
	f.names = append(append(f.names, s...), 0)
	return uint32(at)
}

func (f *elfWriter) section(s section, flags, entry uint32) int {
	name := uint32(0)
	if s.name != "" {
		name = f.name(s.name)
	}
	f.secs = append(f.secs, s)
	f.attrs = append(f.attrs, struct{ name, flags, entry uint32 }{name, flags, entry})
	return len(f.secs) - 1
}

// file writes the header, the sections and their table. The last section holds the names.
func (f *elfWriter) file() []byte {
	const header, entry = 64, 64
	le := binary.LittleEndian
	var body bytes.Buffer
	table := make([]byte, 0, entry*len(f.secs))
	for i := range f.secs {
		s, a := &f.secs[i], &f.attrs[i]
		at := header + body.Len()
		body.Write(s.data)
		h := make([]byte, entry)
		le.PutUint32(h, a.name)
		le.PutUint32(h[4:], s.typ)
		le.PutUint64(h[8:], uint64(a.flags))
		if i > 0 {
			le.PutUint64(h[24:], uint64(at))
		}
		le.PutUint64(h[32:], uint64(len(s.data)))
		le.PutUint32(h[40:], s.link)
		le.PutUint32(h[44:], s.info)
		le.PutUint64(h[56:], uint64(a.entry))
		table = append(table, h...)
	}
	file := make([]byte, header)
	copy(file, "\x7fELF\x02\x01\x01\x00\x01") // 64 bits, little-endian, version 1; ABI version 1
	le.PutUint16(file[16:], 1)                // relocatable
	le.PutUint16(file[18:], 205)              // EM_INTELGT
	le.PutUint32(file[20:], 1)
	le.PutUint64(file[40:], uint64(header+body.Len()))
	le.PutUint16(file[52:], header)
	le.PutUint16(file[58:], entry)
	le.PutUint16(file[60:], uint16(len(f.secs)))
	le.PutUint16(file[62:], uint16(len(f.secs)-1))
	file = append(file, body.Bytes()...)
	return append(file, table...)
}

// compat returns the contents of .note.intelgt.compat: product and core family, target
// metadata (all revisions), and the version (elf.md, ".note.intelgt.compat").
func compat(family int) []byte {
	le := binary.LittleEndian
	var out []byte
	add := func(typ uint32, desc []byte) {
		out = le.AppendUint32(out, 8)
		out = le.AppendUint32(out, uint32(len(desc)))
		out = le.AppendUint32(out, typ)
		out = append(out, "IntelGT\x00"...)
		out = append(out, desc...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	add(1, le.AppendUint32(nil, 0)) // any product
	add(2, le.AppendUint32(nil, uint32(family)))
	add(3, le.AppendUint32(nil, 0))
	add(4, append([]byte(Version), 0))
	return out
}

// info returns the text of .ze_info (zeinfo.md).
func (k *Kernel) info() []byte {
	w := &yamlWriter{}
	w.line(0, "---")
	w.line(0, "version: '%s'", Version)
	w.line(0, "kernels:")
	w.line(1, "- name: '%s'", k.Name)
	w.line(2, "execution_env:")
	if k.Barriers > 0 {
		w.line(3, "barrier_count: %d", k.Barriers)
	}
	w.line(3, "grf_count: %d", k.GRFs)
	if k.InlineData > 0 {
		w.line(3, "inline_data_payload_size: %d", k.InlineData)
	}
	if k.RequiredSize != [3]int{} {
		w.line(3, "required_work_group_size: [ %d, %d, %d ]", k.RequiredSize[0], k.RequiredSize[1], k.RequiredSize[2])
		w.line(3, "work_group_walk_order_dimensions: [ 0, 1, 2 ]")
	}
	w.line(3, "simd_size: %d", k.SIMD)
	if k.SLM > 0 {
		w.line(3, "slm_size: %d", k.SLM)
	}
	list(w, "payload_arguments", k.Args, func(a *Argument) {
		w.item("arg_type: %s", a.Type)
		w.item("offset: %d", a.Offset)
		w.item("size: %d", a.Size)
		if a.Index >= 0 {
			w.item("arg_index: %d", a.Index)
		}
		if a.Type == "arg_byvalue" {
			w.item("source_offset: %d", a.Source)
		}
		w.word("addrmode", a.AddrMode)
		w.word("addrspace", a.AddrSpace)
		w.word("access_type", a.Access)
		w.word("image_type", a.Image)
		if a.AddrSpace == "sampler" {
			w.item("sampler_index: %d", a.Sampler)
			w.item("sampler_type: texture")
		}
	})
	if k.LocalIDSize > 0 {
		list(w, "per_thread_payload_arguments", []int{k.LocalIDSize}, func(size *int) {
			w.item("arg_type: local_id")
			w.item("offset: 0")
			w.item("size: %d", *size)
		})
	}
	list(w, "binding_table_indices", k.Bindings, func(b *Binding) {
		w.item("bti_value: %d", b.BTI)
		w.item("arg_index: %d", b.Index)
	})
	list(w, "per_thread_memory_buffers", k.Buffers, func(b *Buffer) {
		w.item("type: %s", b.Type)
		w.item("usage: %s", b.Usage)
		w.item("size: %d", b.Size)
		if b.Slot != 0 {
			w.item("slot: %d", b.Slot)
		}
	})
	w.line(0, "...")
	return []byte(w.b.String())
}

// yamlWriter writes the subset of YAML that the format needs: block maps and lists.
type yamlWriter struct {
	b     strings.Builder
	first bool // the next line is the first of its item
}

func (w *yamlWriter) line(depth int, format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

// item writes a line of a list item.
func (w *yamlWriter) item(format string, args ...any) {
	if w.first {
		w.first = false
		w.line(3, "- "+format, args...)
		return
	}
	w.line(4, format, args...)
}

// word writes a line of an item if it has a value.
func (w *yamlWriter) word(key, value string) {
	if value != "" {
		w.item("%s: %s", key, value)
	}
}

// list writes a key with a list, unless the list is empty.
func list[T any](w *yamlWriter, key string, items []T, each func(*T)) {
	if len(items) == 0 {
		return
	}
	w.line(2, "%s:", key)
	for i := range items {
		w.first = true
		each(&items[i])
	}
}
