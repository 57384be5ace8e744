// SPDX-License-Identifier: MIT

package corpus

import (
	"encoding/binary"
	"slices"
	"testing"

	"jacquard.example/tests/support/modules"
)

// swaps are pairs of opcodes with the same operand and result types.
var swaps = pairs([][2]uint16{
	{128, 130}, // OpIAdd, OpISub
	{129, 131}, // OpFAdd, OpFSub
	{199, 197}, // OpBitwiseAnd, OpBitwiseOr
	{194, 196}, // OpShiftRightLogical, OpShiftLeftLogical
	{170, 171}, // OpIEqual, OpINotEqual
	{184, 186}, // OpFOrdLessThan, OpFOrdGreaterThan
	{176, 172}, // OpULessThan, OpUGreaterThan
	{177, 173}, // OpSLessThan, OpSGreaterThan
	{134, 137}, // OpUDiv, OpUMod
	{166, 167}, // OpLogicalOr, OpLogicalAnd
	{154, 155}, // OpAny, OpAll
})

// functionSwaps are pairs of GLSL.std.450 functions of the same type.
var functionSwaps = pairs([][2]uint16{
	{8, 9},   // Floor, Ceil
	{13, 14}, // Sin, Cos
	{37, 40}, // FMin, FMax
	{38, 41}, // UMin, UMax
	{39, 42}, // SMin, SMax
	{16, 18}, // Asin, Atan
	{31, 32}, // Sqrt, InverseSqrt
})

func pairs(list [][2]uint16) map[uint16]uint16 {
	out := map[uint16]uint16{}
	for _, p := range list {
		out[p[0]], out[p[1]] = p[1], p[0]
	}
	return out
}

// mutate changes the first operation in a module for which it has a change. It returns false if there is none.
func mutate(m *modules.Module) (*modules.Module, bool) {
	const opExtInst = 12
	var places []int // bytes
	at := 20
	modules.Each(m.SPIRV, func(op uint16, in []uint32) {
		if swaps[op] != 0 {
			places = append(places, at)
		}
		if op == opExtInst && len(in) > 4 && functionSwaps[uint16(in[4])] != 0 {
			places = append(places, at+16)
		}
		at += 4 * len(in)
	})
	if len(places) == 0 {
		return nil, false
	}
	out := *m
	out.SPIRV = slices.Clone(m.SPIRV)
	b := out.SPIRV[places[0]:]
	old := binary.LittleEndian.Uint16(b)
	with := swaps[old]
	if binary.LittleEndian.Uint16(b[2:]) == 0 { // an operand, not an instruction
		with = functionSwaps[old]
	}
	binary.LittleEndian.PutUint16(b, with)
	return &out, true
}

// TestLavapipeFindsMutants gives the interpreter a different operation from lavapipe's: they must seldom agree. Of 1581
// mutants of all modules 1246 are found; most others change the comparison that the shader itself makes, or a value
// that nothing reads.
func TestLavapipeFindsMutants(t *testing.T) {
	o := oracleOf(t)
	c := compiler(t)
	compared, found := 0, 0
	for _, p := range samples {
		ms, _ := load(t, c, p.name, p.few)
		for i := range ms {
			mutant, ok := mutate(&ms[i])
			if !ok || ms[i].Invalid != "" {
				continue
			}
			for _, a := range o.compareTwo(t.Context(), mutant, ms[i].SPIRV) {
				if a.Why != "" {
					continue
				}
				compared++
				if a.Before != "" {
					found++
				} else if testing.Verbose() {
					t.Logf("%s: not found", a.Module.ID())
				}
			}
		}
	}
	t.Logf("%d of %d mutants found", found, compared)
	if compared < 10 || found*4 < compared*3 {
		t.Errorf("%d of %d mutants found", found, compared)
	}
}
