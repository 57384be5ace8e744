// SPDX-License-Identifier: MIT

package modulemutants

import (
	"math/rand/v2"
	"slices"
)

// More opcodes that mutations of control flow look for or insert.
const (
	opFunctionEnd, opKill, opReturn, opUnreachable, opVariable, opFunctionParameter = 56, 252, 253, 255, 59, 55
)

// FlowMutant returns the module with one to three changes of its control flow, of the order of its blocks and
// instructions, and of the operands of phis and other instructions.
func (m *Module) FlowMutant(rng *rand.Rand) []byte {
	code := slices.Clone(m.code)
	for range max(1, rng.IntN(5)-1) {
		code = m.changeFlow(rng, code)
	}
	return m.bytes(code)
}

// blocks lists the blocks of a module's functions: the first instruction of each, and the instruction after its last.
func blocks(code [][]uint32) (list [][2]int) {
	for i, in := range code {
		switch uint16(in[0]) {
		case opLabel, opFunctionEnd:
			if n := len(list); n > 0 && list[n-1][1] == 0 {
				list[n-1][1] = i
			}
			if uint16(in[0]) == opLabel {
				list = append(list, [2]int{i, 0})
			}
		}
	}
	if n := len(list); n > 0 && list[n-1][1] == 0 {
		list = list[:n-1]
	}
	return list
}

// all lists the instructions of some opcodes.
func all(code [][]uint32, ops ...uint16) (at []int) {
	for i, in := range code {
		if slices.Contains(ops, uint16(in[0])) {
			at = append(at, i)
		}
	}
	return at
}

func instr(op uint16, operands ...uint32) []uint32 {
	return append([]uint32{uint32(op) | uint32(len(operands)+1)<<16}, operands...)
}

func (m *Module) changeFlow(rng *rand.Rand, code [][]uint32) [][]uint32 {
	bs := blocks(code)
	if len(bs) == 0 || len(m.labels) == 0 {
		return code
	}
	label := func() uint32 { return m.labels[rng.IntN(len(m.labels))] }
	b := bs[rng.IntN(len(bs))]
	switch k := rng.IntN(24); {
	case k < 5:
		m.changeTarget(rng, code)
	case k == 5: // a merge instruction is dropped
		if at := all(code, opLoopMerge, opSelectionMerge); len(at) > 0 {
			i := at[rng.IntN(len(at))]
			return slices.Delete(code, i, i+1)
		}
	case k == 6: // or inserted
		merge := instr(opSelectionMerge, label(), 0)
		if rng.IntN(2) == 0 {
			merge = instr(opLoopMerge, label(), label(), 0)
		}
		return slices.Insert(code, b[1]-1, merge)
	case k == 7: // or copied from another block
		if at := all(code, opLoopMerge, opSelectionMerge); len(at) > 0 {
			return slices.Insert(code, b[1]-1, code[at[rng.IntN(len(at))]])
		}
	case k == 8: // the blocks of a construct change places
		if at := all(code, opLoopMerge); len(at) > 0 {
			i := at[rng.IntN(len(at))]
			in := slices.Clone(code[i])
			in[1], in[2] = in[2], in[1]
			code[i] = in
		}
	case k < 11: // two blocks change places, often neighbors
		i := rng.IntN(len(bs))
		j := rng.IntN(len(bs))
		if rng.IntN(2) == 0 {
			j = min(i+1, len(bs)-1)
		}
		if i > j {
			i, j = j, i
		}
		if i != j {
			x, y := bs[i], bs[j]
			out := slices.Clone(code[:x[0]])
			out = append(out, code[y[0]:y[1]]...)
			out = append(out, code[x[1]:y[0]]...)
			out = append(out, code[x[0]:x[1]]...)
			return append(out, code[y[1]:]...)
		}
	case k < 14:
		m.changePhi(rng, code)
	case k < 16: // an instruction moves up or down
		if n := b[1] - b[0]; n > 2 {
			i := b[0] + 1 + rng.IntN(n-2)
			in := code[i]
			if at := rng.IntN(len(bs)); rng.IntN(2) == 0 {
				b = bs[at]
			}
			to := b[0] + 1 + rng.IntN(b[1]-b[0])
			code = slices.Delete(code, i, i+1)
			return slices.Insert(code, min(to, len(code)-1), in)
		}
	case k < 18: // an operand is another value of the same type
		m.changeSame(rng, code, b[0]+rng.IntN(b[1]-b[0]))
	case k == 18: // the block ends in another way
		end := [][]uint32{instr(opReturn), instr(opUnreachable), instr(opKill), instr(opBranch, label())}
		code[b[1]-1] = end[rng.IntN(len(end))]
	case k == 19: // a branch becomes conditional, or the reverse
		if in := code[b[1]-1]; uint16(in[0]) == opBranchConditional {
			code[b[1]-1] = instr(opBranch, in[2+rng.IntN(2)])
		} else if at := all(code, opBranchConditional); len(at) > 0 && uint16(in[0]) == opBranch {
			c := code[at[rng.IntN(len(at))]]
			ts := []uint32{in[1], label()}
			if rng.IntN(2) == 0 {
				slices.Reverse(ts)
			}
			code[b[1]-1] = instr(opBranchConditional, c[1], ts[0], ts[1])
		}
	case k == 20: // a block is dropped
		return slices.Delete(code, b[0], b[1])
	case k == 21: // a block is split, or an empty one inserted
		id := m.header[3] + uint32(rng.IntN(4))
		if to := rng.IntN(2); to == 0 {
			return slices.Insert(code, b[1], instr(opLabel, id), instr(opBranch, label()))
		}
		i := b[0] + 1 + rng.IntN(b[1]-b[0])
		return slices.Insert(code, i, instr(opBranch, id), instr(opLabel, id))
	case k == 22: // the targets of a switch in another order, or one dropped
		if at := all(code, opSwitch); len(at) > 0 {
			i := at[rng.IntN(len(at))]
			in := slices.Clone(code[i])
			if n := (len(in) - 3) / 2; n > 1 {
				x, y := 4+2*rng.IntN(n), 4+2*rng.IntN(n)
				in[x], in[y] = in[y], in[x]
			}
			code[i] = in
		}
	default: // conditional targets change places
		if in := code[b[1]-1]; uint16(in[0]) == opBranchConditional {
			in = slices.Clone(in)
			in[2], in[3] = in[3], in[2]
			code[b[1]-1] = in
		}
	}
	return code
}

// changePhi changes the pairs of a phi.
func (m *Module) changePhi(rng *rand.Rand, code [][]uint32) {
	at := all(code, opPhi)
	if len(at) == 0 {
		m.changeTarget(rng, code)
		return
	}
	i := at[rng.IntN(len(at))]
	in := slices.Clone(code[i])
	n := (len(in) - 3) / 2
	if n == 0 {
		return
	}
	k := 3 + 2*rng.IntN(n)
	switch rng.IntN(5) {
	case 0:
		in = slices.Delete(in, k, k+2)
	case 1:
		in = append(in, in[k], in[k+1])
	case 2:
		in = append(in, in[k], m.labels[rng.IntN(len(m.labels))])
	case 3:
		in[k+1] = m.labels[rng.IntN(len(m.labels))]
	case 4:
		if same := m.ofType[in[1]]; len(same) > 0 {
			in[k] = same[rng.IntN(len(same))]
		}
	}
	in[0] = in[0]&0xffff | uint32(len(in))<<16
	code[i] = in
}
