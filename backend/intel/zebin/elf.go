// SPDX-License-Identifier: MIT

package zebin

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Section types beyond ELF's own.
const (
	shtSymtab = 2
	shtRela   = 4
	shtRel    = 9
	shtZEInfo = 0xFF000011
)

// section is one section of the file.
type section struct {
	name string
	typ  uint32
	link uint32
	info uint32
	data []byte
}

// symbol is one entry of the symbol table.
type symbol struct {
	name  string
	shndx uint16
	value uint64
	size  uint64
}

func errorf(format string, args ...any) error { return fmt.Errorf("zebin: "+format, args...) }

// readSections splits a 64-bit little-endian relocatable ELF file. It reads fields bytewise, since sections may
// start at odd offsets.
func readSections(file []byte) ([]section, error) {
	if len(file) < 64 || string(file[:4]) != "\x7fELF" {
		return nil, errorf("not an ELF file")
	}
	if file[4] != 2 || file[5] != 1 {
		return nil, errorf("not a 64-bit little-endian ELF file")
	}
	le := binary.LittleEndian
	if typ := le.Uint16(file[16:]); typ != 1 && typ != 0xFF12 {
		return nil, errorf("ELF type %d is not a zebin", typ)
	}
	off := le.Uint64(file[40:])
	size, num, strndx := int(le.Uint16(file[58:])), int(le.Uint16(file[60:])), int(le.Uint16(file[62:]))
	if size != 64 || off > uint64(len(file)) || uint64(num*size) > uint64(len(file))-off {
		return nil, errorf("the section table is outside the file")
	}
	secs := make([]section, num)
	names := make([]uint32, num)
	total := uint64(0)
	for i := range secs {
		h := file[off+uint64(i*size):][:size]
		s := &secs[i]
		names[i] = le.Uint32(h)
		s.typ, s.link, s.info = le.Uint32(h[4:]), le.Uint32(h[40:]), le.Uint32(h[44:])
		start, n := le.Uint64(h[24:]), le.Uint64(h[32:])
		if s.typ == 0 || s.typ == 8 { // NULL, NOBITS
			continue
		}
		if start > uint64(len(file)) || n > uint64(len(file))-start {
			return nil, errorf("section %d is outside the file", i)
		}
		s.data = file[start : start+n : start+n]
		// Reading all sections must not cost more than the length of the file.
		if total += n; total > uint64(len(file)) {
			return nil, errorf("section %d overlaps others", i)
		}
	}
	if strndx == 0 || strndx >= num {
		return nil, errorf("the section names are in section %d, which does not exist", strndx)
	}
	for i := range secs {
		var err error
		if secs[i].name, err = cString(secs[strndx].data, names[i]); err != nil {
			return nil, err
		}
	}
	return secs, nil
}

// maxName limits the length of a name: several may be suffixes of one string.
const maxName = 1 << 10

// cString returns the zero-terminated string at an offset of a string table, or "" if the table ends before it.
func cString(tab []byte, off uint32) (string, error) {
	if uint64(off) >= uint64(len(tab)) {
		return "", nil
	}
	tab = tab[off:]
	n := bytes.IndexByte(tab[:min(len(tab), maxName+1)], 0)
	switch {
	case n >= 0:
		return string(tab[:n]), nil
	case len(tab) > maxName:
		return "", errorf("the name at offset %d of a string table has more than %d bytes", off, maxName)
	}
	return string(tab), nil
}

// readSymbols decodes a symbol table.
func readSymbols(secs []section, s *section) ([]symbol, error) {
	if len(s.data)%24 != 0 || int(s.link) >= len(secs) {
		return nil, errorf("damaged symbol table")
	}
	le := binary.LittleEndian
	syms := make([]symbol, len(s.data)/24)
	for i := range syms {
		e := s.data[24*i:]
		name, err := cString(secs[s.link].data, le.Uint32(e))
		if err != nil {
			return nil, err
		}
		syms[i] = symbol{name: name, shndx: le.Uint16(e[6:]), value: le.Uint64(e[8:]), size: le.Uint64(e[16:])}
	}
	return syms, nil
}
