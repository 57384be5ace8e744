// SPDX-License-Identifier: MIT

// Package selector is the engine of the instruction selector. For every instruction of the shader it finds the
// machine instructions that compute it, folding operations that a machine instruction includes (source
// modifiers, saturation, comparisons) into them. It runs the rows of generated/intel/select, which read the
// shader and call a target that manages registers.
//
// [Selector].Prepare selects among the [Rows] for a whole function, from its end to its start, so that an
// instruction that was folded into all its uses is not computed. Then the back end (backend/intel/isel) walks the
// function and calls Emit for every instruction whose result is needed. It computes the condition of an if itself,
// at the branch.
package selector

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/core/match/pat"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
)

// Operands is the interface of the back end to rows. v is the instruction that reads the operand, so that the
// target can distinguish uniform from divergent instructions; it is 0 for the condition of an if.
type Operands interface {
	// Reg returns the register that contains the scalar r, off bytes into each lane's element, read as type t.
	// A constant is loaded into a register.
	Reg(v ir.Value, r ir.Src, off uint32, t isa.Type) mir.Operand
	// Src is Reg, but returns an immediate for a constant if t has immediates.
	Src(v ir.Value, r ir.Src, off uint32, t isa.Type) mir.Operand
	// Dst returns the register of v's result, with off and t as in Reg.
	Dst(v ir.Value, off uint32, t isa.Type) mir.Operand
	// Temp returns a new register for one value of type t, uniform if v is.
	Temp(v ir.Value, t isa.Type) mir.Operand
	// Emit appends an instruction. The target sets execution size, mask and location.
	Emit(v ir.Value, in mir.Inst)
	// Message emits one or more logical messages for v, an intrinsic or a texture operation.
	Message(v ir.Value, m *Message)
	// IsUniform reports whether v is the same in all lanes that compute it together.
	IsUniform(v ir.Value) bool
	// FirstLevel reports whether the texture operation v has no level of detail, or the constant 0.
	FirstLevel(v ir.Value) bool
	// FarOffset reports whether the texture operation v has an offset that does not fit into the header of a
	// message.
	FarOffset(v ir.Value) bool
	// Converts reports whether the machine converts the texels that v reads.
	Converts(v ir.Value) bool
}

// Row is a row of the tables: a function that reports whether the row computes v, or the condition of the if n,
// and records the operands that it reads. If emit is set, it emits the row's instructions.
type Row[T Operands] func(x *Selector[T], v ir.Value, n ir.Node, emit bool) bool

// Rows are the rows of the tables for a target T.
type Rows[T Operands] struct {
	All         []Row[T]                   // in the order of the tables
	Where       []target.Where             // by row: machines to which it applies
	Names       []string                   // by row
	Messages    []Message                  // by row: message that it emits
	ByOp        *[op.Count][]uint16        // rows to try for each ALU opcode, in order
	ByIntrinsic *[intrinsic.Count][]uint16 // likewise for each intrinsic
	ByTex       [][]uint16                 // likewise for each texture operation
	ByCond      []uint16                   // likewise for conditions of ifs
}

// Selector selects for one shader at a time. Its memory is reused.
type Selector[T Operands] struct {
	S *ir.Shader
	T T

	rows    *Rows[T]
	machine *target.Target
	row     []uint16 // by value: index + 1 of the selected row
	ifs     []uint16 // by node: index + 1 of the row of an if's condition
	needed  []bool   // by value: a selected row reads it
}

// Prepare selects a row, among those for machine t, for everything in f whose result or effect is needed. The
// error names the first instruction that no row covers.
func (x *Selector[T]) Prepare(rows *Rows[T], s *ir.Shader, f ir.Func, t *target.Target) error {
	x.S, x.rows, x.machine = s, rows, t
	x.row = clearTo(x.row, s.NumValues())
	x.ifs = clearTo(x.ifs, s.NumNodes())
	x.needed = clearTo(x.needed, s.NumValues())
	last := s.BodyEnd(s.Func(f).Node)
	for b := last; b != 0; b = prevBlock(s, b) {
		if n := s.NextNode(b); n != 0 && s.NodeKind(n) == ir.NodeIf {
			r, ok := x.choose(rows.ByCond, 0, n)
			if !ok {
				return fmt.Errorf("no row of the selector covers the condition of an if")
			}
			x.ifs[n] = r
		}
		for v := s.Last(b); v != 0; {
			in := s.At(v)
			if err := x.prepare(v, in); err != nil {
				return err
			}
			v = in.Prev()
		}
	}
	return nil
}

func clearTo[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// prevBlock returns the block before b in text order.
func prevBlock(s *ir.Shader, b ir.Node) ir.Node {
	for n := b; ; {
		if p := s.PrevNode(n); p != 0 {
			return lastBlock(s, p)
		}
		p := s.Parent(n)
		switch {
		case p == 0 || s.NodeKind(p) == ir.NodeFunc:
			return 0
		case s.NodeKind(p) == ir.NodeIf && n == s.Else(p):
			return lastBlock(s, s.ThenEnd(p))
		}
		n = p
	}
}

func lastBlock(s *ir.Shader, n ir.Node) ir.Node {
	for {
		switch s.NodeKind(n) {
		case ir.NodeIf:
			n = s.ElseEnd(n)
		case ir.NodeLoop:
			n = s.BodyEnd(n)
		default:
			return n
		}
	}
}

func (x *Selector[T]) prepare(v ir.Value, in *ir.Instr) error {
	switch in.Kind {
	case kind.LoadConst, kind.Undef, kind.Jump:
		return nil // constants are emitted where they are read; the back end emits jumps
	case kind.Tex:
		if !x.needed[v] {
			return nil
		}
		r, ok := x.choose(x.rows.ByTex[in.Op], v, 0)
		if !ok {
			return fmt.Errorf("no row of the selector covers tex_%s at %d bits", kind.TexOp(in.Op), in.Bits)
		}
		x.row[v] = r
		return nil
	case kind.ALU:
		if !x.needed[v] {
			return nil
		}
		r, ok := x.choose(x.rows.ByOp[in.ALUOp()], v, 0)
		if !ok {
			return fmt.Errorf("no row of the selector covers %s at %d bits", in.ALUOp(), in.Bits)
		}
		x.row[v] = r
		return nil
	case kind.Intrinsic:
		id := in.Intrinsic()
		if !x.needed[v] && x.S.CanEliminate(v) {
			return nil
		}
		r, ok := x.choose(x.rows.ByIntrinsic[id], v, 0)
		if !ok {
			return x.uncovered(v, id)
		}
		x.row[v] = r
		return nil
	}
	return fmt.Errorf("the selector does not support instructions of kind %s", in.Kind)
}

// uncovered returns the error for an intrinsic that no row covers. If rows cover it at other sizes, the error
// names the size.
func (x *Selector[T]) uncovered(v ir.Value, id intrinsic.ID) error {
	if len(x.rows.ByIntrinsic[id]) == 0 {
		return fmt.Errorf("no row of the selector covers the intrinsic %s", id)
	}
	return fmt.Errorf("no row of the selector covers the intrinsic %s at %d bits", id, Bits(x.S, v))
}

func (x *Selector[T]) choose(list []uint16, v ir.Value, n ir.Node) (uint16, bool) {
	for _, r := range list {
		if x.machine.In(x.rows.Where[r]) && x.rows.All[r](x, v, n, false) {
			return r + 1, true
		}
	}
	return 0, false
}

// Emit emits the selected row for v. It emits nothing if v is not needed by itself.
func (x *Selector[T]) Emit(v ir.Value) {
	if r := x.row[v]; r != 0 {
		x.rows.All[r-1](x, v, 0, true)
	}
}

// EmitCond emits the selected row for the condition of an if, which leaves the condition in flag f0.0.
func (x *Selector[T]) EmitCond(n ir.Node) {
	if r := x.ifs[n]; r != 0 {
		x.rows.All[r-1](x, 0, n, true)
	}
}

// Chosen returns the name of the selected row for v, or "" if v is not computed by itself.
func (x *Selector[T]) Chosen(v ir.Value) string {
	if int(v) < len(x.row) && x.row[v] != 0 {
		return x.rows.Names[x.row[v]-1]
	}
	return ""
}

// ChosenIf returns the name of the selected row for the condition of an if.
func (x *Selector[T]) ChosenIf(n ir.Node) string {
	if int(n) < len(x.ifs) && x.ifs[n] != 0 {
		return x.rows.Names[x.ifs[n]-1]
	}
	return ""
}

// Need records that a selected row reads r.
func (x *Selector[T]) Need(r ir.Src) { x.needed[r.Val] = true }

// NeedAll records that all operands of v are read.
func (x *Selector[T]) NeedAll(v ir.Value) {
	for i := range int(x.S.At(v).NSrc) {
		if w := x.S.Src(v, i).Val; w != 0 {
			x.needed[w] = true
		}
	}
}

// Foldable reports whether w, inside a pattern with root v (or the condition of n), has no other uses and is in
// the same block.
func (x *Selector[T]) Foldable(w, v ir.Value, n ir.Node) bool {
	s := x.S
	if !s.UsedOnce(w) {
		return false
	}
	if v == 0 {
		return s.At(w).Block() == s.PrevNode(n)
	}
	return s.At(w).Block() == s.At(v).Block()
}

// Modified returns a register with source modifiers.
func Modified(o mir.Operand, m pat.Mods) mir.Operand {
	if m&pat.Abs != 0 {
		o = o.Absolute()
	}
	if m&(pat.Neg|pat.Not) != 0 {
		o = o.Minus()
	}
	return o
}

// View returns a register read as another type, offset by off bytes in each lane.
func View(o mir.Operand, off uint32, t isa.Type) mir.Operand {
	if from, to := o.Type.Size(), t.Size(); from != to {
		o.Stride = uint8(int(o.Stride) * int(from) / int(to))
	}
	o.Type = t
	o.Off += off
	return o
}

// Acc0 returns the accumulator.
func Acc0(t isa.Type) mir.Operand { return mir.Arch(isa.ARFAcc0, 0, t) }

var floatTypes = [...]isa.Type{isa.TypeHF, isa.TypeF, isa.TypeDF}

// FloatOf returns the float type with a size in bits.
func FloatOf(bits uint8) isa.Type { return floatTypes[bits>>5] }

var intTypes = [...]isa.Type{isa.TypeB, isa.TypeW, isa.TypeD, isa.TypeD, isa.TypeQ}

// IntOf returns the signed integer type with a size in bits.
func IntOf(bits uint8) isa.Type { return intTypes[index(bits)] }

var uintTypes = [...]isa.Type{isa.TypeUB, isa.TypeUW, isa.TypeUD, isa.TypeUD, isa.TypeUQ}

// UintOf returns the unsigned integer type with a size in bits.
func UintOf(bits uint8) isa.Type { return uintTypes[index(bits)] }

func index(bits uint8) uint8 {
	switch bits {
	case 16:
		return 1
	case 32:
		return 2
	case 64:
		return 4
	}
	return 0
}
