// SPDX-License-Identifier: MIT

package lower_test

import (
	"testing"

	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// TestI11Handles checks that a handle is placed above the length of the second payload (at SIMD32, of one
// half's payload), and above the shared function on a platform whose extended descriptors name it. The descriptor has the
// index that denotes handles.
func TestI11Handles(t *testing.T) {
	for _, c := range []struct {
		p    isa.Platform
		code uint32
	}{{isa.TGL, 0}, {isa.ICL, 2}, {isa.SKL, 2}} {
		for _, width := range []int{8, 16, 32} {
			for _, constant := range []bool{true, false} {
				f := mir.New(width, isa.TGL.Registers())
				b := mir.Builder{F: f}
				b.Vector()
				m := mir.Message{Msg: mir.Msg{Name: message.Sample, Space: message.Image, Op: uint8(isa.SamplerLd), Bindless: true},
					Address: mir.Fixed(2, ud), AddressLen: width / 8, Data: mir.Fixed(20, ud), DataLen: 2 * width / 8,
					Dst: mir.V(f.NewReg(4, 4), ud), DstLen: 4 * width / 8}
				m.Surface = mir.UD(0x1234_5FFF)
				if !constant {
					m.Surface = mir.V(f.NewScalar(4), ud).WithStride(0)
				}
				b.Message(m)
				lower.Messages(f, message.HDC, c.p)
				var all []*mir.Inst
				for i := f.Blocks[0].First; i != 0; i = f.Next(i) {
					all = append(all, f.At(i))
				}
				rest := uint32(2*min(width, 16)/8)<<6 | c.code
				send, put := all[len(all)-1], all[len(all)-2]
				if send.Desc&0xFF != 252 || !f.IsAddress(&send.Src[2]) || !send.Src[2].SameReg(&put.Dst) {
					t.Errorf("%v, %d lanes: %s", c.p, width, f)
				}
				switch got := put.Src; {
				case constant && (len(all) != 2 || got[0].Num != 0x1234_5000|rest):
					t.Errorf("%v, %d lanes, constant: want 0x%x\n%s", c.p, width, 0x1234_5000|rest, f)
				case !constant && (len(all) != 3 || got[1].Num != rest || all[0].Src[1].Num != 0xFFFF_F000):
					t.Errorf("%v, %d lanes: want 0x%x\n%s", c.p, width, rest, f)
				}
			}
		}
	}
}
