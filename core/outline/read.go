// SPDX-License-Identifier: MIT

package outline

import (
	"bytes"
	"context"
	"fmt"

	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/spirvtab"
)

// Module is the outline of a module.
type Module struct {
	Version      string // such as 1.3
	Entries      []Entry
	Capabilities []string // by SPIR-V's names
	Bindings     []Binding
	Constants    []Constant // specialization constants, by SpecId
	Push         []Block    // push constants: each entry point may have its own block
}

// headerWords is the length of a module's header (SPIR-V specification 2.3).
const headerWords = 5

// Read returns the outline of a module in either byte order. Lists are in the order of the module, except for
// constants. The error is a *module.Error, or the error of the context.
func Read(ctx context.Context, data []byte) (*Module, error) {
	r := &reader{
		defs: map[uint32]uint32{}, sizes: map[uint32]uint32{}, names: map[uint32]uint32{}, memberNames: map[member]uint32{},
		marks: map[uint32]marks{}, memberMarks: map[member]marks{}, types: map[uint32]*typ{},
	}
	var err error
	if r.bytes, r.words, err = module.Words(data); err != nil {
		return nil, err
	}
	r.m.Version = fmt.Sprintf("%d.%d", r.words[1]>>16&255, r.words[1]>>8&255)
	if err := r.scan(ctx); err != nil {
		return nil, err
	}
	if err := r.entries(); err != nil {
		return nil, err
	}
	if err := r.constants(); err != nil {
		return nil, err
	}
	if err := r.variables(); err != nil {
		return nil, err
	}
	return &r.m, nil
}

// reader records the relevant instructions of a module.
type reader struct {
	m     Module
	bytes []byte
	words []uint32

	// The following are word offsets of instructions.
	points      []uint32          // OpEntryPoint
	sizes       map[uint32]uint32 // the execution mode that sets a workgroup's size, by function
	defs        map[uint32]uint32 // constants, by id
	specs       []uint32          // specialization constants with a SpecId
	vars        []uint32          // variables
	names       map[uint32]uint32 // OpName, by id
	memberNames map[member]uint32 // OpMemberName

	marks       map[uint32]marks // decorations, by id
	memberMarks map[member]marks
	types       map[uint32]*typ
	size        uint32 // the decoration of the constant that sets the size of all workgroups, or 0 if there is none
}

// scan records the instructions before the first function, and checks that all instructions are complete.
func (r *reader) scan(ctx context.Context) error {
	inside := false
	for at, ticks := headerWords, 1; at < len(r.words); ticks++ {
		const stretch = 1 << 14
		if ticks%stretch == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n, left := int(r.words[at]>>16), len(r.words)-at
		if n == 0 || n > left {
			return r.errorf(uint32(at), "word count %d exceeds the remaining %d words", n, left)
		}
		inside = inside || r.op(uint32(at)) == spirvtab.OpFunction
		if !inside {
			if err := r.note(uint32(at)); err != nil {
				return err
			}
		}
		at += n
	}
	return nil
}

// note records an instruction outside functions.
func (r *reader) note(at uint32) error {
	info := spirvtab.Lookup(r.op(at))
	if info == nil {
		return nil
	}
	in := r.ins(at)
	if len(in) < int(info.Min) {
		return r.errorf(at, "has %d words, needs at least %d", len(in), info.Min)
	}
	switch info.Num {
	case spirvtab.OpCapability:
		r.m.Capabilities = append(r.m.Capabilities, named(spirvtab.Capabilities, in[1]))
	case spirvtab.OpEntryPoint:
		r.points = append(r.points, at)
	case spirvtab.OpExecutionMode, spirvtab.OpExecutionModeId:
		if in[2] == spirvtab.ModeLocalSize || in[2] == spirvtab.ModeLocalSizeId {
			r.sizes[in[1]] = at
		}
	case spirvtab.OpName:
		r.names[in[1]] = at
	case spirvtab.OpMemberName:
		r.memberNames[member{in[1], in[2]}] = at
	case spirvtab.OpDecorate, spirvtab.OpMemberDecorate, spirvtab.OpGroupDecorate, spirvtab.OpGroupMemberDecorate:
		return r.decorate(at, in)
	case spirvtab.OpVariable, spirvtab.OpUntypedVariableKHR:
		r.vars = append(r.vars, at)
	case accelerationStructure:
		if len(in) > 1 {
			r.types[in[1]] = &typ{op: info.Num}
		}
	default:
		switch {
		case info.Category == spirvtab.CategoryType && info.HasResult:
			return r.typeInstr(at, in)
		case info.Category == spirvtab.CategoryConstant && info.HasResult:
			r.defs[in[2]] = at
			switch info.Num {
			case spirvtab.OpSpecConstant, spirvtab.OpSpecConstantTrue, spirvtab.OpSpecConstantFalse:
				if r.marks[in[2]].has&specID != 0 {
					r.specs = append(r.specs, at)
				}
			}
		}
	}
	return nil
}

// named returns the name of an enumerant, or its number if it has no name.
func named(values spirvtab.Enum, num uint32) string {
	if v := values.Lookup(num); v != nil {
		return v.Name
	}
	return fmt.Sprint(num)
}

// op returns the opcode of the instruction at a word offset.
func (r *reader) op(at uint32) uint16 { return uint16(r.words[at]) }

// ins returns the words of the instruction at a word offset.
func (r *reader) ins(at uint32) []uint32 { return r.words[at : at+r.words[at]>>16] }

// constant returns the instruction of a constant, or nil if none has been recorded.
func (r *reader) constant(id uint32) []uint32 {
	if at := r.defs[id]; at != 0 {
		return r.ins(at)
	}
	return nil
}

// text returns the string that starts at a word of an instruction.
func (r *reader) text(at, word uint32) (string, error) {
	b := r.bytes[4*(at+word) : 4*(at+r.words[at]>>16)]
	end := bytes.IndexByte(b, 0)
	if end < 0 {
		return "", r.errorf(at, "word %d: unterminated string", word)
	}
	return string(b[:end]), nil
}

// nameOf returns the name of an id, or "" if it has none.
func (r *reader) nameOf(id uint32) (string, error) {
	if at := r.names[id]; at != 0 {
		return r.text(at, 2)
	}
	return "", nil
}

// errorf returns an error about an instruction.
func (r *reader) errorf(at uint32, format string, args ...any) *module.Error {
	e := &module.Error{Word: int(at), Msg: fmt.Sprintf(format, args...)}
	if info := spirvtab.Lookup(r.op(at)); info != nil {
		e.Op = info.Name
	}
	return e
}
