// SPDX-License-Identifier: MIT

package driver

import (
	"context"
	"errors"

	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/ir"
	"jacquard.example/core/outline"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
)

// Entry is an entry point of a source.
type Entry struct {
	Name      string
	Stage     string    // a stage of the IR, or a SPIR-V execution model that the IR lacks
	LocalSize [3]uint32 // workgroup size of a compute shader; 0 where specialization constants are needed to compute it
}

// Entries lists the entry points of a source in the order of their declaration, without compiling it: a module may
// contain instructions that are not supported. A module without an entry point is an error.
func (src *Source) Entries(ctx context.Context) ([]Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch src.form {
	case machineForm:
		u, err := mirtext.Parse(src.data, nil)
		var te *mirtext.Error
		if errors.As(err, &te) {
			return nil, &Error{File: src.File, Line: te.Line, Column: te.Col, Msg: te.Msg}
		} else if err != nil {
			return nil, err
		}
		return []Entry{{u.Entry, u.Stage, u.WorkgroupSize}}, nil
	case textForm:
		return entryOf(readText(src.data, src.File))
	case wireForm:
		return entryOf(readWire(src.data, src.File))
	}
	m, err := outline.Read(ctx, src.data)
	var e *spirv.Error
	switch {
	case errors.As(err, &e):
		return nil, spirvError(src.File, e)
	case err != nil:
		return nil, err
	case len(m.Entries) == 0:
		return nil, WordError(src.File, len(src.data)/4, "no entry point")
	}
	var list []Entry
	for _, x := range m.Entries {
		e := Entry{Name: x.Name, Stage: x.Stage}
		if x.Stage == kind.StageCompute.String() {
			e.LocalSize = x.LocalSize
		}
		list = append(list, e)
	}
	return list, nil
}

// entryOf returns the entry point of a shader that was read, or err, the error from reading it.
func entryOf(s *ir.Shader, err error) ([]Entry, error) {
	if err != nil {
		return nil, err
	}
	e := Entry{Name: s.Strs.Text(s.Info.Entry), Stage: s.Info.Stage.String()}
	if s.Info.Stage == kind.StageCompute {
		e.LocalSize = s.Info.WorkgroupSize
	}
	return []Entry{e}, nil
}
