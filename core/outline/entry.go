// SPDX-License-Identifier: MIT

package outline

import (
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// Entry is an entry point.
type Entry struct {
	Name string
	// Stage is the stage's name in the IR, such as compute or tess_control, or the name of the execution model if the
	// IR has no such stage, such as Kernel or MeshEXT.
	Stage string
	// LocalSize is the number of invocations of a workgroup in each dimension, if the module declares it, with the
	// default values of specialization constants. It is 0 where an operation on these constants computes it.
	LocalSize [3]uint32
}

// workgroupSize is the number of the builtin WorkgroupSize, a constant that sets the size of workgroups.
const workgroupSize = 25

// entries lists the entry points.
func (r *reader) entries() (err error) {
	for _, at := range r.points {
		in := r.ins(at)
		e := Entry{Stage: stage(in[1])}
		if e.Stage == "" {
			return r.errorf(at, "unknown execution model %d", in[1])
		}
		if e.Name, err = r.text(at, 3); err != nil {
			return err
		}
		if e.LocalSize, err = r.localSize(in[2]); err != nil {
			return err
		}
		r.m.Entries = append(r.m.Entries, e)
	}
	return nil
}

// stage returns the name of an execution model's stage, or "" if there is no such model.
func stage(model uint32) string {
	switch m := spirvtab.ExecutionModels.Lookup(model); {
	case m == nil:
		return ""
	case m.Read:
		return kind.Stage(m.To).String()
	default:
		return m.Name
	}
}

// localSize returns the size of a function's workgroups, or zeros if it is not declared.
func (r *reader) localSize(function uint32) (size [3]uint32, err error) {
	if r.size != 0 {
		in := r.constant(r.ins(r.size)[1])
		switch {
		case in == nil:
			return size, r.errorf(r.size, "WorkgroupSize is not a constant")
		case uint16(in[0]) == spirvtab.OpConstantComposite || uint16(in[0]) == spirvtab.OpSpecConstantComposite:
			if len(in) < 6 {
				return size, r.errorf(r.size, "WorkgroupSize is not a constant vector of three integers")
			}
			for i := range size {
				size[i] = r.number(in[3+i])
			}
		}
		return size, nil
	}
	at := r.sizes[function]
	if at == 0 {
		return size, nil
	}
	in := r.ins(at)
	if len(in) < 6 {
		return size, r.errorf(at, "needs three sizes")
	}
	copy(size[:], in[3:6])
	if in[2] == spirvtab.ModeLocalSizeId {
		for i := range size {
			size[i] = r.number(in[3+i])
		}
	}
	return size, nil
}
