// SPDX-License-Identifier: MIT

package intel_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/build"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/option"
	"jacquard.example/generated/target"
)

// undivided returns a made-up target like t whose math unit does not divide integers.
func undivided(t *target.Target) *target.Target {
	x := *t
	x.Has &^= target.IntegerDivision
	x.Rewrite.Set(option.LowerDivision, true)
	return &x
}

// A division is stored by each of 16 lanes: the dividends are in the buffer, followed by the divisors and the results,
// each in 8 bytes.
const divisionLanes, divisionBytes = 16, 8

// division compiles an operation on numbers of a size. If uniform is true, all lanes have the first divisor.
func division(machine *target.Target, o op.Op, size uint8, uniform bool) (*intel.Binary, error) {
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{divisionLanes, 1, 1}
	s.Info.Bindings = []ir.Binding{{Mode: kind.ModeSSBO, Count: 1}}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	b := build.New(s)
	b.AtEnd(s.FirstBlock(f))
	at := b.IShl(b.LoadLocalInvocationIndex(32), b.Imm(3))
	load := func(at ir.Src) ir.Src { return b.LoadSSBO(1, size, b.Imm(0), at, 0, divisionBytes, 0) }
	divisor := b.Imm(divisionBytes * divisionLanes)
	if !uniform {
		divisor = b.IAdd(at, divisor)
	}
	b.StoreSSBO(b.ALU(o, load(at), load(divisor)), b.Imm(0), b.IAdd(at, b.Imm(2*divisionBytes*divisionLanes)), 1, 0, divisionBytes, 0)
	c := pass.New(s)
	c.Options = pass.Options{Target: machine}
	if err := pipeline.ForTarget(c, nil); err != nil {
		return nil, err
	}
	return intel.Compile(s, intel.Options{Target: machine, SIMD: divisionLanes, Buffers: 1, Verify: true})
}

// TestWithoutIntegerDivision compiles divisions of all sizes for machines that do not divide integers, and runs them.
func TestWithoutIntegerDivision(t *testing.T) {
	for _, base := range []*target.Target{target.TGL, target.ICL, target.SKL} {
		machine := undivided(base)
		for _, o := range []op.Op{op.UDiv, op.UMod, op.IDiv, op.IRem, op.IMod} {
			for _, size := range []uint8{8, 16, 32, 64} {
				for _, uniform := range []bool{false, true} {
					name := fmt.Sprintf("%s %s@%d uniform %v", machine.Name, o, size, uniform)
					code, err := division(machine, o, size, uniform)
					if err != nil {
						t.Errorf("%s: %v", name, err)
						continue
					}
					r := rand.New(rand.NewPCG(5, uint64(size)))
					for range 10 {
						if err := divide(machine, code, o, size, uniform, r); err != nil {
							t.Fatalf("%s: %v", name, err)
						}
					}
				}
			}
		}
	}
}

// divide runs the code of a division on random numbers, and compares the results with the meaning of the operation.
func divide(machine *target.Target, code *intel.Binary, o op.Op, size uint8, uniform bool, r *rand.Rand) error {
	data := make([]byte, 3*divisionBytes*divisionLanes)
	for i := range 2 * divisionLanes {
		binary.LittleEndian.PutUint64(data[divisionBytes*i:], operand(r))
	}
	d := &eu.Dispatch{Program: eu.Load(machine, code.Code), SIMD: code.SIMD, Groups: [3]uint32{1, 1, 1},
		LocalSize: code.ABI.WorkgroupSize, Surfaces: []*eu.Surface{{Data: data}}}
	d.Payload = eu.ComputePayload(machine.ABI, make([]byte, int(code.ABI.SizesOffset)+4*code.ABI.SizesCount))
	if _, err := eu.Run(context.Background(), d); err != nil {
		return err
	}
	number := func(i int) uint64 {
		return binary.LittleEndian.Uint64(data[divisionBytes*i:]) & (^uint64(0) >> (64 - size))
	}
	for i := range divisionLanes {
		var src [op.MaxSrc][fold.MaxComps]uint64
		var want [fold.MaxComps]uint64
		src[0][0], src[1][0] = number(i), number(divisionLanes+i)
		if uniform {
			src[1][0] = number(divisionLanes)
		}
		fold.Eval(o, size, 1, &src, &want, 0)
		if got := number(2*divisionLanes + i); got != want[0] {
			return fmt.Errorf("%#x by %#x is %#x, want %#x", src[0][0], src[1][0], got, want[0])
		}
	}
	return nil
}

// operand returns zero, a number near a power of two, or a random number of any magnitude, of either sign.
func operand(r *rand.Rand) uint64 {
	x := r.Uint64() >> r.IntN(64)
	switch r.IntN(4) {
	case 0:
		x = uint64(1)<<r.IntN(64) + uint64(r.IntN(3)) - 1
	case 1:
		x = uint64(r.IntN(3))
	}
	if r.IntN(2) == 0 {
		return -x
	}
	return x
}
