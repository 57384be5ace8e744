// SPDX-License-Identifier: MIT

package validate

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
)

// checkDefs checks that an instruction writes no register whose single definition is another instruction.
func checkDefs(f *mir.Func, i mir.ID) string {
	in := &f.Insts[i]
	for _, r := range [...]mir.Reg{in.Dst.VReg(), in.Flag.Reg()} {
		if r != 0 && in.Writes(r) && f.Regs[r].Def != 0 && f.Regs[r].Def != i {
			return fmt.Sprintf("writes v%d, whose single definition is another instruction", r)
		}
	}
	return ""
}

// validateDefs checks that recorded definitions exist and write their register.
func validateDefs(f *mir.Func) error {
	for r := 1; r < len(f.Regs); r++ {
		d := f.Regs[r].Def
		if d != 0 && (int(d) >= len(f.Insts) || !f.Insts[d].Writes(mir.Reg(r))) {
			return &mir.Error{Msg: fmt.Sprintf("register v%d: its single definition is missing", r)}
		}
	}
	return nil
}
