// SPDX-License-Identifier: MIT

package memory

import (
	"math/bits"

	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// EmitPush reads the push data that the program uses into the registers of the payload, if the ABI has them in memory.
func EmitPush(c *value.Context) {
	at, ok := c.Layout.ABI.HeaderField(abi.PushAddress)
	if !ok {
		return
	}
	base := int(c.Layout.ABI.PushReg)
	used := usedGRFs(c.F)
	if c.Layout.Entries[abi.ConstantsAddress] > 0 { // a zebin's prologue writes this register
		used[c.Layout.ConstantsReg()] = false
	}
	header := mir.Operand{}
	for first := base; first < c.F.Payload; {
		run, most := 0, c.F.GRF.Count(mostPush)
		for run < most && used[first+run] {
			run++
		}
		if run == 0 {
			first++
			continue
		}
		n := 1 << (bits.Len(uint(run)) - 1)
		off := c.F.GRF.Start(uint32(first - base))
		c.B.ScalarMode()
		if header.File == mir.None {
			header = mir.V(c.F.NewGRFs(1), isa.TypeUD)
			c.B.Emit(isa.OpAnd, header, mir.FixedScalar(int(at.Reg), 4*uint32(at.Dword), isa.TypeUD), mir.UD(at.Mask))
		}
		from := header
		if off != 0 {
			from = mir.V(c.F.NewGRFs(1), isa.TypeUD)
			c.B.Emit(isa.OpAdd, from, header.WithStride(0), mir.UD(off))
		}
		c.B.Message(mir.Message{Msg: mir.Msg{Name: message.PushRead}, Header: from, Dst: mir.Fixed(first, isa.TypeUD), DstLen: n})
		first += n
	}
}

// mostPush is the largest number of bytes that a message reads: 64 doublewords.
const mostPush = 64 * 4

// usedGRFs returns the fixed registers that a function reads. Other registers of the payload may hold other values by the
// time they would be loaded.
func usedGRFs(f *mir.Func) []bool {
	used := make([]bool, f.Payload+f.GRF.Count(mostPush))
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			for k := range in.Src {
				o := &in.Src[k]
				n := f.SrcBytes(in, k)
				if o.File != mir.GRF || n == 0 {
					continue
				}
				for r := int(o.Num + f.GRF.Of(o.Off)); r <= int(o.Num+f.GRF.Of(o.Off+n-1)) && r < f.Payload; r++ {
					used[r] = true
				}
			}
		}
	}
	return used
}
