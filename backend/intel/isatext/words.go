// SPDX-License-Identifier: MIT

package isatext

import (
	"strconv"
	"strings"

	"jacquard.example/generated/isa"
)

// Names returns the meaning of an index of a message in a program, or "" if it is unknown. list is the name of
// the index field in the tables: surface, for the binding table, or sampler.
type Names func(list string, index uint32) string

// AppendWords describes the operation of a send with the words of the tables, for example "untyped read,
// surface 2, 4 dwords". It appends nothing for other instructions. names may be nil.
func AppendWords(b []byte, p isa.Platform, in *isa.Inst, names Names) []byte {
	if f := isa.Ops[in.Op].Format; f != isa.FormatSend && f != isa.FormatSends {
		return b
	}
	if in.DescReg {
		return append(append(append(b, "message to "...), in.SFID.String()...), " with a computed descriptor"...)
	}
	m, ok := isa.DecodeMessage(p, in.SFID, in.Desc, in.ExDesc)
	if !ok {
		return append(append(b, "unknown message to "...), in.SFID.String()...)
	}
	kind := &isa.MessageWords[m.Kind]
	b = append(b, kind.Words...)
	for i := range kind.Fields {
		b = appendField(b, &kind.Fields[i], &m, names)
	}
	if in.EOT && m.Kind != isa.MsgThreadEnd {
		b = append(b, ", end of the thread"...)
	}
	return b
}

// appendField appends the description of a field, if it has one, after a comma.
func appendField(b []byte, f *isa.FieldWords, m *isa.MsgInfo, names Names) []byte {
	value := f.Value(m)
	for _, s := range f.Said {
		if s.Value == value {
			return append(append(b, ", "...), s.Words...)
		}
	}
	if f.Words == "" || f.Bool && value == 0 {
		return b
	}
	before, after, _ := strings.Cut(f.Words, "{}")
	b = append(append(b, ", "...), before...)
	switch {
	case f.Name != nil:
		b = append(b, f.Name(value)...)
	case !f.Bool:
		b = strconv.AppendUint(b, uint64(value), 10)
	}
	b = append(b, after...)
	if f.Index != "" && names != nil {
		if name := names(f.Index, value); name != "" {
			b = append(append(append(b, " ("...), name...), ')')
		}
	}
	return b
}
