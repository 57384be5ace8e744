// SPDX-License-Identifier: MIT

package kernel

import (
	"bytes"
	"testing"

	"jacquard.example/backend/intel/zebin"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// TestConstants checks that two instructions write the halves of the address of the constant data to their doublewords,
// and that the code waits for them on machines that do not track dependences.
func TestConstants(t *testing.T) {
	for _, on := range target.All {
		p := program(nil)
		p.ABI.Name, p.ABI.Constants = on.Zebin.Name, []byte{1, 2, 3, 4}
		p.ABI.ReadsConstants, p.ABI.ConstantsOffset = true, 40
		c, code, err := p.constants(on)
		if err != nil {
			t.Fatal(err)
		}
		grf := on.Registers.Bytes
		at := (on.Zebin.Block(p.SIMD, grf)+int(on.Zebin.UserReg))*grf + p.ABI.ConstantsOffset
		for half, immediate := range [...]int{c.Low, c.High} {
			in, err := isa.Decode(on.Platform, code[half*isa.InstSize:])
			if err != nil {
				t.Fatal(err)
			}
			if in.Op != isa.OpMov || !in.NoMask || in.ExecSize != 1 || int(in.Dst.Reg)*grf+int(in.Dst.Sub) != at+4*half ||
				in.Src[0].Imm != zebin.Unrelocated || immediate != half*isa.InstSize+12 {
				t.Errorf("%s: half %d is at %d, written by %+v", on, half, immediate, in)
			}
		}
		waits := len(code) > 2*isa.InstSize
		if waits {
			in, err := isa.Decode(on.Platform, code[2*isa.InstSize:])
			waits = err == nil && in.Op == isa.OpSync && in.SWSB.Dist() == 1
		}
		if waits != on.Can(target.SoftwareScoreboard) {
			t.Errorf("%s: waits: %v", on, waits)
		}
		file, err := Write(p, on)
		if err != nil || !bytes.Contains(file, append(code, p.Code...)) {
			t.Errorf("%s: the code is not in front of the program's: %v", on, err)
		}
	}
}
