// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"
	"slices"
	"sync"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/legal"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
)

// set is the set of instructions that may remain at a stage on a target.
type set struct {
	target     *target.Target
	stage      legal.Stage
	kinds      uint32 // a bit for each kind
	ops        [op.Count]opSet
	intrinsics [intrinsic.Count]intrinsicSet
}

// opSet has the sizes at which an opcode may remain.
type opSet struct {
	legal.Operands
	scalar bool // only with scalar results
}

// intrinsicSet has the data sizes at which an intrinsic may remain, unless a ban on an index value applies.
type intrinsicSet struct {
	sizes  op.Sizes
	values []*legal.Ban
}

// every is the set of all operand sizes.
const every = op.Size1 | op.Size8 | op.Size16 | op.Size32 | op.Size64

type key struct {
	target *target.Target
	stage  legal.Stage
}

var sets sync.Map // *set values by key

// setOf returns a set, building it on first use.
func setOf(t *target.Target, stage legal.Stage) *set {
	k := key{t, stage}
	if x, ok := sets.Load(k); ok {
		return x.(*set)
	}
	x, _ := sets.LoadOrStore(k, newSet(t, stage))
	return x.(*set)
}

func newSet(t *target.Target, stage legal.Stage) *set {
	x := everything()
	x.target, x.stage = t, stage
	if stage.Selected() {
		x.selected(t)
	}
	for i := range legal.Bans {
		if b := &legal.Bans[i]; applies(b, t, stage) {
			x.ban(b)
		}
	}
	return x
}

// selected removes the instructions that instruction selection does not accept.
func (x *set) selected(t *target.Target) {
	clear(x.ops[:])
	clear(x.intrinsics[:])
	for i := range legal.Selection {
		c := &legal.Selection[i]
		if !t.In(c.Where) {
			continue
		}
		for _, o := range c.Ops {
			to := &x.ops[o.Op]
			to.Out |= o.Out
			for i, sizes := range o.Src {
				to.Src[i] |= sizes
			}
		}
		for _, id := range c.Intrinsics {
			x.intrinsics[id].sizes = every
		}
	}
}

// everything returns the set without bans.
func everything() *set {
	x := &set{kinds: 1<<kind.Count - 1}
	for o := range x.ops {
		x.ops[o].Out = every
		for i := range x.ops[o].Src {
			x.ops[o].Src[i] = every
		}
	}
	for i := range x.intrinsics {
		x.intrinsics[i].sizes = every
	}
	return x
}

// applies reports whether a ban holds for a target at a stage.
func applies(b *legal.Ban, t *target.Target, stage legal.Stage) bool {
	return b.From <= stage && (b.Unless == 0 || !t.Can(b.Unless))
}

func (x *set) ban(b *legal.Ban) {
	x.kinds &^= b.Kinds
	for _, o := range b.Ops {
		to := &x.ops[o.Op]
		to.scalar = to.scalar || b.Vectors
		to.Out &^= o.Out
		for i := range to.Src {
			to.Src[i] &^= o.Src[i]
		}
	}
	for _, id := range b.Intrinsics {
		if to := &x.intrinsics[id]; b.Values != 0 {
			to.values = append(to.values, b)
		} else {
			to.sizes &^= b.Sizes
		}
	}
}

// Error reports an instruction that must not remain.
type Error struct {
	Func   string // the function that contains it
	What   string // the instruction and its size
	Target string
	Lacks  string // the feature that the target lacks

	banned bool // by a row of the table
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s has no %s", e.What, e.Target, e.Lacks) }

// Check finds the first instruction of a shader that must not remain at a stage on a target. An instruction under a ban
// is reported before an instruction that only selection rejects. The error is an *Error, wrapped in an *ir.LocatedError
// if the location is known.
func Check(s *ir.Shader, t *target.Target, stage legal.Stage) error {
	x := setOf(t, stage)
	var first error
	for f := range s.Funcs() {
		for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
			for v := s.First(b); v != 0; {
				in := s.At(v)
				if !x.may(s, v, in) {
					if e := x.error(s, f, v); e.banned {
						return ir.Located(s, e, in.Loc)
					} else if first == nil {
						first = ir.Located(s, e, in.Loc)
					}
				}
				v = in.Next()
			}
		}
	}
	return first
}

// may reports whether an instruction may remain.
func (x *set) may(s *ir.Shader, v ir.Value, in *ir.Instr) bool {
	switch in.Kind {
	case kind.ALU:
		o := &x.ops[in.ALUOp()]
		if o.Out&op.SizeOf(in.Bits) == 0 || o.scalar && in.Comps > 1 {
			return false
		}
		for i := range int(in.NSrc) {
			if o.Src[min(i, len(o.Src)-1)]&op.SizeOf(s.At(s.Src(v, i).Val).Bits) == 0 {
				return false
			}
		}
	case kind.Intrinsic:
		i := &x.intrinsics[in.Intrinsic()]
		bits := dataBits(s, v, in)
		if i.sizes == 0 || bits != 0 && i.sizes&op.SizeOf(bits) == 0 {
			return false
		}
		for _, b := range i.values {
			if has(s, v, b) && b.Sizes&op.SizeOf(bits) != 0 {
				return false
			}
		}
	}
	return x.kinds>>in.Kind&1 != 0
}

// dataBits returns the size in bits of the data that an intrinsic stores or operates on or, without data, of its result.
// It returns 0 if there is neither.
func dataBits(s *ir.Shader, v ir.Value, in *ir.Instr) uint8 {
	if i := in.Intrinsic().Source(intrinsic.RoleValue); i >= 0 {
		return s.At(s.Src(v, i).Val).Bits
	}
	return in.Bits
}

// has reports whether an intrinsic's index has one of the values of a ban.
func has(s *ir.Shader, v ir.Value, b *legal.Ban) bool {
	n := s.Index(v, b.Index)
	return n < 32 && b.Values>>n&1 != 0
}

// error returns the reason why an instruction must not remain: the first ban that applies, or that selection does not
// accept it.
func (x *set) error(s *ir.Shader, f ir.Func, v ir.Value) *Error {
	e := &Error{Func: s.Strs.Text(s.Func(f).Name), What: describe(s, v), Target: x.target.Name, Lacks: "instruction for it"}
	for i := range legal.Bans {
		b := &legal.Bans[i]
		if !applies(b, x.target, x.stage) {
			continue
		}
		one := everything()
		if one.ban(b); !one.may(s, v, s.At(v)) {
			e.Lacks, e.banned = b.What, true
			break
		}
	}
	return e
}

// describe formats an instruction with the sizes of its operands.
func describe(s *ir.Shader, v ir.Value) string {
	in := s.At(v)
	switch in.Kind {
	case kind.ALU:
		info := in.ALUOp().Info()
		out := fmt.Sprintf("%s at %d bits", in.ALUOp(), in.Bits)
		if in.Comps > 1 {
			out = fmt.Sprintf("%s of %d components at %d bits", in.ALUOp(), in.Comps, in.Bits)
		}
		for i := range int(info.NumSrc) {
			if n := s.At(s.Src(v, i).Val).Bits; n != in.Bits {
				return fmt.Sprintf("%s from %d bits", out, n)
			}
		}
		return out
	case kind.Intrinsic:
		out := in.Intrinsic().String()
		if n := dataBits(s, v, in); n != 0 {
			out = fmt.Sprintf("%s at %d bits", out, n)
		}
		for i := range legal.Bans {
			if b := &legal.Bans[i]; b.Values != 0 && slices.Contains(b.Intrinsics, in.Intrinsic()) {
				return fmt.Sprintf("%s (%s)", out, valueName(b.Index, s.Index(v, b.Index)))
			}
		}
		return out
	case kind.Tex:
		return "tex_" + kind.TexOp(in.Op).String()
	}
	return in.Kind.String()
}

// valueName returns the name of a value of an enumerated index.
func valueName(ix intrinsic.Index, n uint32) string {
	for _, e := range kind.Enums {
		if e.Name == intrinsic.Indices[ix].Enum {
			return e.String(n)
		}
	}
	return fmt.Sprint(n)
}
