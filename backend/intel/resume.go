package intel

import (
	"fmt"
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/target"
)

// checkUnit refuses a unit that was not made for the target, or that the pass
// behind the last one cannot have got.
func checkUnit(u *mir.Unit, t *target.Target) error {
	f := u.Func
	last := indexOf(passes, u.After)
	switch {
	case t == nil:
		return fmt.Errorf("no target is named")
	case u.Target != t.Name:
		return fmt.Errorf("the machine IR is for target %q, not %s", u.Target, t)
	case u.ABI != t.ABI.Name:
		return fmt.Errorf("the machine IR has the ABI %q; %s has %s", u.ABI, t, t.ABI.Name)
	case !slices.Contains(t.Widths, f.Width):
		return fmt.Errorf("there is no SIMD%d on %s", f.Width, t)
	case last < 0:
		return fmt.Errorf("there is no pass %q that the machine IR could have been written after", u.After)
	case u.After == encodePass:
		return fmt.Errorf("the machine IR was written after the last pass, %s", encodePass)
	}
	if err := checkWidth(u.WorkgroupSize, u.PrivateBytes, t, f.Width); err != nil {
		return err
	}
	if private := uint64(privateBytes(u)) + uint64(u.SpillBytes); private > uint64(t.ScratchBytes) {
		return fmt.Errorf("%d bytes of scratch space for a thread; %s has %d", private, t, t.ScratchBytes)
	}
	if err := f.Validate(); err != nil {
		return err
	}
	if last >= indexOf(passes, allocatePass) {
		return allocated(f)
	}
	return nil
}

// allocated refuses virtual registers.
func allocated(f *mir.Func) error {
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			for _, o := range [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
				if o.File == mir.VReg && in.Op != mir.OpUndef {
					return &mir.Error{Block: b, Inst: i, Text: f.Text(i), Msg: "names a virtual register after " + allocatePass}
				}
			}
		}
	}
	return nil
}
