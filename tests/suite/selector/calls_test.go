// SPDX-License-Identifier: MIT

package selector

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/build"
	"jacquard.example/generated/fold"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/probe"
)

// called is a row that calls the back end.
type called struct {
	name string
	op   op.Op // opcode of the root; 0 for the condition of an if
	cond bool
}

// calls lists the rows that call the back end for arithmetic and for conditions. Rows
// with 64-bit results are left out: only addresses have as many bits when instructions are
// selected, so the programs of this test have none (TestAddresses in backend/intel does).
func calls(t *testing.T) (out []called) {
	t.Helper()
	code, err := os.ReadFile("../../../generated/intel/select/rows.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range matchLine.FindAllStringSubmatch(string(code), -1) {
		x, _ := parseTree(m[2])
		o, alu := op.ByName(x.word)
		if m[3] != "call" || !alu && x.word != "cond" || alu && o.Info().Out.Bits == 64 {
			continue
		}
		for _, a := range x.args {
			if a.isOp || slices.ContainsFunc(x.args, func(a *tree) bool { return len(a.flags) > 0 }) {
				t.Errorf("[select.%s]: %s is more than this test takes apart", m[1], m[2])
			}
		}
		out = append(out, called{m[1], o, x.word == "cond"})
	}
	return out
}

// The ways in which an operand reaches a row.
const (
	perLane  = iota // a different value in each lane
	uniform         // one value for all lanes
	constant        // known when the shader is compiled
	reaches
)

// values are the inputs of the lanes, by source and lane.
type values [op.MaxSrc][32]uint32

// shader computes a row's operation alone, for each lane, and stores the
// components of the result. Sources are read from the buffer, 32 bits for each
// lane, one source after the other; results come after them.
func (c *called) shader(bits uint8, lanes int, reach []int, v *values) *ir.Shader {
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{uint32(lanes), 1, 1}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	b := build.New(s)
	b.AtEnd(s.FirstBlock(f))
	lane := b.IShl(b.LoadSubgroupInvocation(32), b.Imm(2))
	at := func(k int) ir.Src { return b.IAdd(lane, b.Imm(uint32(4*lanes*k))) }
	var src []ir.Src
	for k := range reach {
		width := c.width(k, bits)
		switch {
		case reach[k] == constant && width == 1:
			src = append(src, b.ImmN(1, uint64(v[k][0]&1)))
			continue
		case reach[k] == constant:
			src = append(src, b.ImmN(width, uint64(v[k][0])&(1<<width-1)))
			continue
		}
		place := at(k)
		if reach[k] == uniform {
			place = b.Imm(uint32(4 * lanes * k))
		}
		x := b.LoadSSBO(1, 32, b.Imm(0), place, 0, 4, 0)
		switch width {
		case 1:
			x = b.INe(b.IAnd(x, b.Imm(1)), b.Imm(0))
		case 16:
			x = b.ALU(op.U2U16, x)
		}
		src = append(src, x)
	}
	store := func(x ir.Src, k int) { b.StoreSSBO(x, b.Imm(0), at(len(reach)+k), 1, 0, 4, 0) }
	if c.cond {
		n := s.InsertIf(s.FirstBlock(f), src[0])
		b.AtEnd(s.Then(n))
		store(b.Imm(1), 0)
		b.AtEnd(s.Else(n))
		store(b.Imm(0), 0)
		return s
	}
	r := b.ALU(c.op, src...)
	in := s.At(r.Val)
	for k := range int(in.Comps) {
		x := s.All(r.Val).Comp(k)
		switch in.Bits {
		case 1:
			x = b.B2I32(x)
		case 16:
			x = b.U2U32(x)
		}
		store(x, k)
	}
	return s
}

// width returns the number of bits of a source.
func (c *called) width(k int, bits uint8) uint8 {
	if c.cond {
		return 1
	}
	if d := c.op.Info().Src[k].Bits; d != 0 {
		return d
	}
	return bits
}

// want computes the row's operation by its meaning.
func (c *called) want(bits uint8, v [op.MaxSrc]uint32, n int) ([]uint32, error) {
	if c.cond {
		return []uint32{v[0] & 1}, nil
	}
	var src [op.MaxSrc][fold.MaxComps]uint64
	var dst [fold.MaxComps]uint64
	for k := range n {
		src[k][0] = uint64(v[k]) & (1<<c.width(k, bits) - 1)
	}
	if !fold.Eval(c.op, bits, 1, &src, &dst, num.Mode(0)) {
		return nil, fmt.Errorf("%s has no meaning at %d bits", c.op, bits)
	}
	var out []uint32
	for k := range max(c.op.Info().Out.Comps, 1) {
		out = append(out, uint32(dst[k]))
	}
	return out, nil
}

// TestCalls compiles every row that calls the back end in isolation, for each machine and width that it applies to,
// with operands that differ by lane, are uniform or are constant. It compares the code's results on the model with the
// meaning of the row's opcode.
func TestCalls(t *testing.T) {
	rows := calls(t)
	if len(rows) < 7 {
		t.Fatalf("only %d rows call the back end", len(rows))
	}
	rng := rand.New(rand.NewPCG(5, 7))
	programs := 0
	for _, c := range rows {
		where := sel.Where[slices.Index(sel.Names[:], c.name)]
		if where.Has&target.Vectors != 0 { // tests/suite/draw compares what vertex shaders compute
			continue
		}
		sizes := []uint8{1, 16, 32}
		nsrc := 1
		if c.cond {
			sizes = []uint8{1}
		} else {
			info := c.op.Info()
			nsrc = int(info.NumSrc)
			sizes = slices.DeleteFunc(sizes, func(n uint8) bool {
				return info.Sizes&op.SizeOf(n) == 0 || info.Out.Base != op.Bits && n != 32
			})
		}
		tried := 0
		for _, machine := range target.All {
			if !machine.In(where) {
				continue
			}
			for _, lanes := range machine.Widths {
				for _, bits := range sizes {
					for _, reach := range ways(nsrc) {
						mine, err := c.agrees(rng, machine, lanes, bits, reach)
						if err != nil {
							t.Errorf("[select.%s] for %s, %d lanes, %d bits, operands %v: %v", c.name, machine.Name, lanes, bits, reach,
								err)
						}
						if mine {
							tried++
						}
					}
				}
			}
		}
		if tried < 3*len(ways(nsrc)) {
			t.Errorf("[select.%s] is chosen for %d programs only", c.name, tried)
		}
		programs += tried
	}
	t.Logf("%d rows, %d programs", len(rows), programs)
}

// ways lists the ways in which operands may reach a row: all per lane, all uniform, and each in turn in a way other than
// per lane.
func ways(n int) [][]int {
	out := [][]int{make([]int, n), slices.Repeat([]int{uniform}, n)}
	for k := range n {
		for how := uniform; how < reaches; how++ {
			x := make([]int, n)
			x[k] = how
			out = append(out, x)
		}
	}
	return out
}

// rounds is the number of times a program runs, each time with other values.
const rounds = 3

// agrees compiles and runs one program. mine reports whether the operation is selected by this row: on some machines an
// earlier row matches.
func (c *called) agrees(rng *rand.Rand, machine *target.Target, lanes int, bits uint8, reach []int) (mine bool, err error) {
	var v values
	draw := func() {
		for k := range reach {
			for i := range lanes {
				if i == 0 || reach[k] == perLane {
					v[k][i] = probe.Value(rng, 32, false)
				} else {
					v[k][i] = v[k][0]
				}
			}
		}
	}
	draw()
	s := c.shader(bits, lanes, reach, &v)
	chosen := sel.Selector{T: &recorder{s: s}}
	if err := chosen.Prepare(&sel.Rows, s, s.Entry(), machine); err != nil {
		return false, err
	}
	mine = c.chosen(&chosen, s)
	bin, err := intel.Compile(s, intel.Options{Target: machine, SIMD: lanes, Buffers: 1, Verify: true})
	if err != nil {
		return mine, err
	}
	for round := range rounds {
		if round > 0 {
			known := v
			draw()
			for k := range reach {
				if reach[k] == constant {
					v[k] = known[k]
				}
			}
		}
		data := make([]byte, 4*lanes*(len(reach)+op.MaxSrc))
		for k := range reach {
			for i := range lanes {
				binary.LittleEndian.PutUint32(data[4*(lanes*k+i):], v[k][i])
			}
		}
		_, err := eu.Run(context.Background(), &eu.Dispatch{
			Program: eu.Load(machine, bin.Code), SIMD: bin.SIMD, Groups: [3]uint32{1, 1, 1}, LocalSize: bin.ABI.WorkgroupSize,
			Surfaces: []*eu.Surface{{Data: data}}, SLMSize: int(bin.ABI.SharedBytes), ScratchPerThread: int(bin.ABI.ScratchBytes),
			Payload: eu.ComputePayload(machine.ABI, nil), Options: eu.Options{Poison: true, Undefined: true},
		})
		if err != nil {
			return mine, err
		}
		for i := range lanes {
			var one [op.MaxSrc]uint32
			for k := range reach {
				one[k] = v[k][i]
			}
			want, err := c.want(bits, one, len(reach))
			if err != nil {
				return mine, err
			}
			for k, w := range want {
				if got := binary.LittleEndian.Uint32(data[4*(lanes*(len(reach)+k)+i):]); got != w {
					return mine, fmt.Errorf("of %#x lane %d computes %#x as component %d, not %#x", one[:len(reach)], i, got, k, w)
				}
			}
		}
	}
	return mine, nil
}

// chosen reports whether the shader's operation is selected by this row.
func (c *called) chosen(x *sel.Selector, s *ir.Shader) bool {
	for b := range s.Blocks(s.Entry()) {
		if x.ChosenIf(s.NextNode(b)) == c.name {
			return true
		}
		for v := range s.Instrs(b) {
			if x.Chosen(v) == c.name {
				return true
			}
		}
	}
	return false
}
