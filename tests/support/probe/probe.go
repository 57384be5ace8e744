// SPDX-License-Identifier: MIT

// Package probe runs a few machine instructions on the model of the execution units, without
// a compiler or a launcher around them: Run assembles the text, fills registers with the
// images of a State, and returns the contents of the registers and the flag afterwards. Tests
// compare these with the meaning of the instruction in the tables.
package probe

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/core/num"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Lanes is the number of lanes of the instructions.
const Lanes = 8

// Register is the image of a register with a doubleword for each lane.
type Register [4 * Lanes]byte

const registerBytes = len(Register{})

// State is the input or output of instructions: the registers starting at r20, and the flag f0.0.
type State struct {
	Registers []Register
	Flag      uint8
}

// First is the register of the first image.
const First = 20

// Run runs the instructions, in the assembler's syntax, once for each state, and returns the resulting states. All
// states must have as many registers as the first. keep reports whether denormals are kept.
func Run(insts []string, states []State, keep bool) ([]State, error) {
	if len(states) == 0 {
		return nil, nil
	}
	regs := len(states[0].Registers)
	each := registerBytes * (regs + 1) // a state in memory: the registers, then the flag
	half := each * len(states)
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	mode := 0
	if keep {
		mode = 0x4C0
	}
	line("(W) mov (1|M0) cr0.0<1>:ud 0x%X:ud", mode)
	line("(W) mov (8|M0) r10.0<1>:uw 0x76543210:v")
	line("shl (8|M0) r12.0<1>:ud r10.0<8;8,1>:uw 2:w")
	for n, s := range states {
		for k := range s.Registers {
			line("add (8|M0) r14.0<1>:ud r12.0<8;8,1>:ud 0x%X:ud", n*each+registerBytes*k)
			line("send.dc1 (8|M0) r%d r14 null 0x0 0x02106E00 {$0}", First+k)
			line("sync.nop null {$0.dst}")
		}
		line("(W) mov (1|M0) f0.0<1>:uw 0x%X:uw", s.Flag)
		for _, in := range insts {
			line("%s", in)
		}
		line("(W) mov (1|M0) r15.0<1>:uw f0.0<0;1,0>:uw")
		for k := range regs + 1 {
			from := First + k
			if k == regs {
				from = 15
			}
			line("add (8|M0) r14.0<1>:ud r12.0<8;8,1>:ud 0x%X:ud", half+n*each+registerBytes*k)
			line("send.dc1 (8|M0) null r14 r%d 0x40 0x02026E00 {$0}", from)
			line("sync.nop null {$0.src}")
		}
	}
	line("(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud")
	line("(W) send.ts (8|M0) null r127 null 0x0 0x02000000 {EOT}")
	code, err := isatext.Assemble(isa.TGL, b.String())
	if err != nil {
		return nil, err
	}
	data := make([]byte, 2*half)
	for n, s := range states {
		for k := range s.Registers {
			copy(data[n*each+registerBytes*k:], s.Registers[k][:])
		}
	}
	_, err = eu.Run(context.Background(), &eu.Dispatch{
		Program: eu.Load(target.TGL, code), SIMD: Lanes, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{Lanes, 1, 1},
		Surfaces: []*eu.Surface{{Data: data}}, Payload: eu.ComputePayload(abi.JacquardCS, nil),
		Options: eu.Options{Hazards: eu.HazardsOff},
	})
	if err != nil {
		return nil, err
	}
	out := make([]State, len(states))
	for n := range out {
		at := half + n*each
		out[n].Registers = make([]Register, regs)
		for k := range out[n].Registers {
			copy(out[n].Registers[k][:], data[at+registerBytes*k:])
		}
		out[n].Flag = data[at+registerBytes*regs]
	}
	return out, nil
}

// Value returns a random value of a width: half of the time one of the edge cases of instructions, otherwise any.
func Value(rng *rand.Rand, bits int, float bool) uint32 {
	mask := uint32(uint64(1)<<bits - 1)
	any := rng.IntN(2) == 0
	switch {
	case float && any:
		return ofFloat(math.Ldexp(rng.Float64()*2-1, rng.IntN(14)-4), bits)
	case float:
		return ofFloat(floats[rng.IntN(len(floats))], bits)
	case any:
		return rng.Uint32() >> rng.IntN(bits) & mask
	}
	return ints[rng.IntN(len(ints))] & mask
}

var (
	ints   = [...]uint32{0, 1, 2, 3, 5, 8, 15, 16, 31, 32, 33, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff}
	floats = [...]float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2.5, -3.75, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p-15, -0x1p-20, 0x1p-127, 300, 70000, 0.999999}
)

func ofFloat(x float64, bits int) uint32 {
	if bits == 16 {
		return uint32(num.F64ToF16(x, num.NearestEven))
	}
	return math.Float32bits(float32(x))
}
