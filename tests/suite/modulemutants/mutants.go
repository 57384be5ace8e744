// SPDX-License-Identifier: MIT

package modulemutants

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"jacquard.example/generated/spirvtab"
)

// Module is a parsed module.
type Module struct {
	header []uint32
	code   [][]uint32
	types  map[uint32]uint32   // id → its type
	ofType map[uint32][]uint32 // type → ids
	labels []uint32
	shapes map[string][]uint16 // opcodes by the layout of their operands
}

// Opcodes that mutations look for (SPIR-V specification 3.49).
const (
	opLabel, opLoopMerge, opSelectionMerge, opBranch, opBranchConditional, opSwitch = 248, 246, 247, 249, 250, 251
	opDecorate, opMemberDecorate, opFunction, opPhi                                 = 71, 72, 54, 245
)

// Parse splits a little-endian module into instructions.
func Parse(module []byte) *Module {
	w := make([]uint32, len(module)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(module[4*i:])
	}
	m := &Module{header: w[:5], types: map[uint32]uint32{}, ofType: map[uint32][]uint32{}, shapes: map[string][]uint16{}}
	for at := 5; at < len(w); {
		n := int(w[at] >> 16)
		if n == 0 || at+n > len(w) {
			break
		}
		in := w[at : at+n : at+n]
		m.code = append(m.code, in)
		at += n
		info := spirvtab.Lookup(uint16(in[0]))
		if info == nil {
			continue
		}
		if info.HasType && info.HasResult {
			m.types[in[2]] = in[1]
			m.ofType[in[1]] = append(m.ofType[in[1]], in[2])
		}
		if info.Num == opLabel {
			m.labels = append(m.labels, in[1])
		}
	}
	for i := range spirvtab.Ops {
		o := &spirvtab.Ops[i]
		m.shapes[shape(o)] = append(m.shapes[shape(o)], o.Num)
	}
	return m
}

func shape(o *spirvtab.Op) string {
	s := o.Layout
	if o.HasType {
		s = "T" + s
	}
	if o.HasResult {
		s = "R" + s
	}
	return s
}

// Mutant returns the module with some random changes, one to four.
func (m *Module) Mutant(rng *rand.Rand) []byte {
	code := slices.Clone(m.code)
	for range 1 + rng.IntN(4) {
		if len(code) == 0 {
			break
		}
		code = m.change(rng, code)
	}
	return m.bytes(code)
}

// bytes returns the module with its instructions replaced.
func (m *Module) bytes(code [][]uint32) []byte {
	out := make([]byte, 0, 64)
	for _, w := range m.header {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	for _, in := range code {
		for _, w := range in {
			out = binary.LittleEndian.AppendUint32(out, w)
		}
	}
	return out
}

// change makes one change. Instructions are shared with the original, so an instruction is copied before it changes.
func (m *Module) change(rng *rand.Rand, code [][]uint32) [][]uint32 {
	i := rng.IntN(len(code))
	switch k := rng.IntN(20); {
	case k < 4:
		m.changeID(rng, code, i)
	case k < 8:
		m.changeSame(rng, code, i)
	case k < 10:
		m.changeOpcode(rng, code, i)
	case k < 12:
		m.changeLiteral(rng, code, i)
	case k == 12:
		return slices.Delete(code, i, i+1)
	case k == 13:
		return slices.Insert(code, i, code[i])
	case k == 14: // moved
		in := code[i]
		code = slices.Delete(code, i, i+1)
		return slices.Insert(code, rng.IntN(len(code)+1), in)
	case k == 15:
		return m.dropDecoration(rng, code)
	case k == 16: // neighbors change places
		if i > 0 {
			code[i], code[i-1] = code[i-1], code[i]
		}
	case k < 19:
		m.changeTarget(rng, code)
	default: // longer or shorter
		in := slices.Clone(code[i])
		if len(in) > 1 && rng.IntN(2) == 0 {
			in = in[:len(in)-1]
		} else {
			in = append(in, uint32(rng.IntN(int(m.header[3])+4)))
		}
		in[0] = in[0]&0xffff | uint32(len(in))<<16
		code[i] = in
	}
	return code
}

// operands lists the places of an instruction's operands of a kind: 'i' ids,
// the type included, or 'l' literals.
func operands(in []uint32, kind byte) (at []int) {
	info := spirvtab.Lookup(uint16(in[0]))
	if info == nil {
		return nil
	}
	i := 1
	if info.HasType {
		if kind == 'i' {
			at = append(at, 1)
		}
		i++
	}
	if info.HasResult {
		i++
	}
	for l := 0; i < len(in); i++ {
		if l >= len(info.Layout) {
			break
		}
		c := info.Layout[l]
		if c == '?' && l+1 < len(info.Layout) {
			l++
			c = info.Layout[l]
		}
		if (c == 'i') == (kind == 'i') {
			at = append(at, i)
		}
		if l+1 == len(info.Layout) || info.Layout[l+1] != '*' {
			l++
		}
	}
	return at
}

// find returns the first instruction, starting at i, for which of returns choices.
func find(code [][]uint32, i int, of func([]uint32) []int) (int, []int) {
	for range 64 {
		if at := of(code[i%len(code)]); len(at) > 0 {
			return i % len(code), at
		}
		i++
	}
	return 0, nil
}

// set replaces a word.
func set(code [][]uint32, i, at int, w uint32) {
	code[i] = slices.Clone(code[i])
	code[i][at] = w
}

// changeID replaces an id with any other.
func (m *Module) changeID(rng *rand.Rand, code [][]uint32, i int) {
	if i, at := find(code, i, func(in []uint32) []int { return operands(in, 'i') }); at != nil {
		set(code, i, at[rng.IntN(len(at))], uint32(rng.IntN(int(m.header[3])+1)))
	}
}

// changeSame replaces an id with another of the same type.
func (m *Module) changeSame(rng *rand.Rand, code [][]uint32, i int) {
	i, at := find(code, i, func(in []uint32) []int { return operands(in, 'i') })
	if at == nil {
		return
	}
	k := at[rng.IntN(len(at))]
	if same := m.ofType[m.types[code[i][k]]]; len(same) > 0 {
		set(code, i, k, same[rng.IntN(len(same))])
	}
}

// changeOpcode replaces the opcode with one of the same layout.
func (m *Module) changeOpcode(rng *rand.Rand, code [][]uint32, i int) {
	if info := spirvtab.Lookup(uint16(code[i][0])); info != nil {
		same := m.shapes[shape(info)]
		set(code, i, 0, code[i][0]&^0xffff|uint32(same[rng.IntN(len(same))]))
	}
}

func (m *Module) changeLiteral(rng *rand.Rand, code [][]uint32, i int) {
	i, at := find(code, i, func(in []uint32) []int { return operands(in, 'l') })
	if at == nil {
		return
	}
	k := at[rng.IntN(len(at))]
	old := code[i][k]
	set(code, i, k, [...]uint32{
		0, 1, 2, old + 1, old - 1, old << 1, old >> 1, 1 << 31, ^uint32(0), 1 << rng.IntN(32), uint32(rng.IntN(64)), old ^ 1<<rng.IntN(32), rng.Uint32(),
	}[rng.IntN(13)])
}

func (m *Module) dropDecoration(rng *rand.Rand, code [][]uint32) [][]uint32 {
	var at []int
	for i, in := range code {
		if op := uint16(in[0]); op == opDecorate || op == opMemberDecorate {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return code
	}
	i := at[rng.IntN(len(at))]
	return slices.Delete(code, i, i+1)
}

// changeTarget replaces a label in a branch, a merge instruction or a phi.
func (m *Module) changeTarget(rng *rand.Rand, code [][]uint32) {
	var at [][2]int
	for i, in := range code {
		switch uint16(in[0]) {
		case opLoopMerge, opSelectionMerge, opBranch, opBranchConditional, opSwitch, opPhi:
			for k, w := range in[1:] {
				if slices.Contains(m.labels, w) {
					at = append(at, [2]int{i, k + 1})
				}
			}
		}
	}
	if len(at) > 0 {
		x := at[rng.IntN(len(at))]
		set(code, x[0], x[1], m.labels[rng.IntN(len(m.labels))])
	}
}
