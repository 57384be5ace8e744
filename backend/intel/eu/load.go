// SPDX-License-Identifier: MIT

package eu

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Load predecodes a machine's code. It never fails: kernels are padded and may contain data, so bytes that are
// not an instruction fault only when a thread reaches them.
func Load(machine *target.Target, code []byte) *thread.Program {
	p := newProgram(machine, len(code))
	for off := 0; off+8 <= len(code); {
		in, err := isa.Decode(machine.Platform, code[off:])
		size := int(in.Size)
		var bad *thread.OpError
		if err != nil || size != 8 && size != 16 {
			size = 16
			if code[off+3]&0x20 != 0 { // bit 29: the short form
				size = 8
			}
			bad = thread.Operr(thread.FaultIllegal, "not an instruction")
			if err != nil {
				bad.Msg = err.Error()
			}
			in = isa.Inst{Size: uint8(size)}
		}
		if off+size > len(code) {
			break
		}
		addInst(p, &in, off, bad)
		off += size
	}
	finish(p)
	return p
}
