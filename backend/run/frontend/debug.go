// SPDX-License-Identifier: MIT

package frontend

import (
	"encoding/binary"

	"jacquard.example/generated/spirvtab"
)

// named returns a copy of a module whose debug information gives a source its own name and its lines in its file.
// called is the name that the program gave the source. The text of sources is dropped, since nothing reads it. An
// input that is not a module is returned unchanged; the compiler rejects it.
func named(module []byte, called string, s *Source) []byte {
	if called == "" || len(module) < headerBytes || len(module)%4 != 0 || word(module, 0) != magic {
		return module
	}
	out := append(make([]byte, 0, len(module)+len(s.File)), module[:headerBytes]...)
	source := uint32(0) // the id of the name
	for rest := module[headerBytes:]; len(rest) > 0; {
		n, op := int(word(rest, 0)>>16), word(rest, 0)&0xffff
		if n == 0 || n > len(rest)/4 {
			return module
		}
		in := rest[:4*n]
		switch {
		case op == spirvtab.OpString && n > 2 && text(in[8:]) == called:
			source = word(in, 1)
			out = appendString(out, source, s.File)
		case op == spirvtab.OpLine && n == 4 && word(in, 1) == source && source != 0:
			out = appendWords(out, word(in, 0), source, word(in, 2)+uint32(s.Line-1), word(in, 3))
		case op == spirvtab.OpSource && n > 4:
			out = append(appendWords(out, 4<<16|op), in[4:16]...)
		case op == spirvtab.OpSourceContinued:
		default:
			out = append(out, in...)
		}
		rest = rest[4*n:]
	}
	return out
}

// The header of a module (SPIR-V specification 2.3).
const (
	magic       = 0x07230203
	headerBytes = 20
)

// word returns a word of a module.
func word(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

// text returns the string that a zero byte ends, or "" if there is no such byte.
func text(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return ""
}

func appendWords(out []byte, words ...uint32) []byte {
	for _, w := range words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// appendString appends OpString.
func appendString(out []byte, id uint32, name string) []byte {
	const most = 4 * 0xff00 // bytes of an instruction
	name = name[:min(len(name), most)]
	n := len(name)/4 + 1
	out = appendWords(out, uint32(n+2)<<16|spirvtab.OpString, id)
	out = append(out, name...)
	return append(out, make([]byte, 4*n-len(name))...)
}
