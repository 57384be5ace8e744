// SPDX-License-Identifier: MIT

package kernel

import (
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// maxCode is the largest size in bytes of the instructions that constants returns.
const maxCode = 48

// constants returns the program's constant data and a prologue that writes the data's address to the registers from which
// the program reads it: two moves with immediates that the runtime relocates and, on a machine with a software scoreboard,
// a sync instruction. It returns nil if the program does not read the address.
func (p *Program) constants(t *target.Target) (*zebin.Constants, []byte, error) {
	if !p.ABI.ReadsConstants {
		return nil, nil, nil
	}
	c := &zebin.Constants{Data: p.ABI.Constants}
	grf := t.Registers.Bytes
	at := (t.Zebin.Block(p.SIMD, grf)+int(t.Zebin.UserReg))*grf + p.ABI.ConstantsOffset
	code := make([]byte, 0, maxCode)
	add := func(in *isa.Inst) error {
		n := len(code)
		code = code[:n+isa.InstSize]
		return isa.Encode(t.Platform, in, code[n:])
	}
	for half, immediate := range [...]*int{&c.Low, &c.High} {
		in := &isa.Inst{Op: isa.OpMov, ExecSize: 1, NoMask: true}
		dword := at + 4*half
		in.Dst = isa.Operand{File: isa.FileGRF, Type: isa.TypeUD, HStride: 1, Reg: uint8(dword / grf), Sub: uint8(dword % grf)}
		in.Src[0] = isa.Operand{File: isa.FileImm, Type: isa.TypeUD, Imm: zebin.Unrelocated}
		*immediate = len(code) + isa.InstSize - 4
		if err := add(in); err != nil {
			return nil, nil, err
		}
	}
	if !t.Can(target.SoftwareScoreboard) {
		return c, code, nil
	}
	wait := fields.SWSBDist(1)
	if t.Can(target.Pipes) {
		wait = fields.SWSBPipe(fields.PipeInt, 1)
	}
	in := &isa.Inst{Op: isa.OpSync, Sync: isa.SyncNop, ExecSize: 1, NoMask: true, SWSB: wait}
	in.Src[0] = isa.Operand{File: isa.FileARF, Reg: isa.ARFNull}
	return c, code, add(in)
}
