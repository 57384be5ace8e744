// SPDX-License-Identifier: MIT

package module

import (
	"math/bits"

	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// Fast math flags (SPIR-V specification 3.15, FP Fast Math Mode, and SPV_KHR_float_controls2).
const (
	fastNotNaN    = 1 << 0
	fastNotInf    = 1 << 1
	fastNSZ       = 1 << 2
	fastRecip     = 1 << 3
	fastAll       = 1 << 4 // Fast: all of the above
	fastContract  = 1 << 16
	fastReassoc   = 1 << 17
	fastTransform = 1 << 18

	fastKnown = fastNotNaN | fastNotInf | fastNSZ | fastRecip | fastAll | fastContract | fastReassoc | fastTransform
)

// fastFlags maps flags to relaxations of instructions in the IR. AllowRecip has no counterpart, since no rule merely
// replaces a quotient with a product with the reciprocal. Denormals depend on the denorm modes, not on flags.
var fastFlags = [...]struct {
	flags uint32 // any of these flags
	may   kind.FloatMask
}{
	{fastNotNaN | fastAll, kind.FloatNan},
	{fastNotInf | fastAll, kind.FloatInf},
	{fastNSZ | fastAll, kind.FloatNsz},
	{fastContract | fastAll, kind.FloatContract},
	{fastReassoc | fastAll, kind.FloatReassoc},
	{fastTransform | fastAll, kind.FloatTransform},
}

// fastMath holds the defaults of the entry point (SPV_KHR_float_controls2).
type fastMath struct {
	On     bool      // some type has a default
	set    [3]bool   // by size: whether there is a default
	may    [3]uint16 // by size: the default, a kind.FloatMask
	choice bool      // some instruction that only selects or copies floats has its own flags
}

// Freedom changes the default relaxations of an instruction: Drop is removed, then Give is added.
type Freedom struct{ Drop, Give uint16 }

// ownMask is the set of relaxations that an instruction with its own flags does not inherit from the default.
const ownMask = ^uint16(kind.FloatDenorm)

// fastMask returns the relaxations that a mask of flags allows.
func (r *Reader) fastMask(flags uint32) (may uint16) {
	const both = fastContract | fastReassoc
	switch {
	case flags&^fastKnown != 0:
		r.Fail("unknown flags %#x in an FP Fast Math Mode", flags&^fastKnown)
	case flags&fastTransform != 0 && flags&both != both:
		r.Fail("the flag AllowTransform needs AllowContract and AllowReassoc")
	case flags&fastAll != 0 && r.Fast.On:
		r.Fail("the flag Fast is not allowed in an entry point that uses FPFastMathDefault")
	}
	for _, f := range fastFlags {
		if flags&f.flags != 0 {
			may |= uint16(f.may)
		}
	}
	return may
}

// fastDefault reads an execution mode FPFastMathDefault.
func (r *Reader) fastDefault(in []uint32) {
	if len(in) < 5 {
		r.Fail("execution mode FPFastMathDefault needs a type and flags")
	}
	if in[3] >= r.Bound || r.Ids[in[3]].Kind != idType || r.TypeAt(in[3]).Op != spirvtab.OpTypeFloat {
		r.Fail("execution mode FPFastMathDefault: id %d is not a float type", in[3])
	}
	flags, ok := r.ConstScalar(in[4])
	if !ok || r.TypeOf(in[4]).Bits != 32 || r.Op(r.Ids[in[4]].Word) == spirvtab.OpSpecConstant {
		r.Fail("execution mode FPFastMathDefault: id %d is not a 32-bit constant", in[4])
	}
	i := floatIndex(r.TypeAt(in[3]).Bits)
	if r.Fast.set[i] {
		r.Fail("a second FPFastMathDefault for type id %d", in[3])
	}
	r.Fast.On, r.Fast.set[i] = true, true
	r.Fast.may[i] = r.fastMask(uint32(flags))
}

// floatIndex maps the sizes 16, 32 and 64 to 0, 1 and 2.
func floatIndex(size uint8) int { return bits.Len8(size) - 5 }

// findChoices sets r.Fast.choice if an instruction that only selects or copies floats has flags. The corresponding
// instructions of the IR have none.
func (r *Reader) findChoices() {
	for i := range r.Ids[:r.Bound] {
		rec := &r.Ids[i]
		if rec.Dec == 0 || rec.Word == 0 || !r.Has(uint32(i), spirvtab.DecorationFPFastMathMode) {
			continue
		}
		if o := r.Op(rec.Word); o != spirvtab.OpExtInst && spirvtab.Lookup(o).Program[0] == 0 {
			r.Fast.choice = true
		}
	}
}

// FreedomOf returns the difference between an instruction's relaxations and the default. NoContraction allows none, not
// even of the sign of a zero: exactly this operation is required (SPIR-V specification 3.20). With FPFastMathMode, or
// in an entry point with defaults, the flags decide.
func (r *Reader) FreedomOf(in []uint32) Freedom {
	flags, own := uint32(0), false
	if r.Ids[in[2]].Dec != 0 {
		flags, own = r.Find(in[2], spirvtab.DecorationFPFastMathMode)
		if r.Has(in[2], spirvtab.DecorationNoContraction) {
			switch {
			case own:
				r.Fail("the result has both NoContraction and FPFastMathMode")
			case r.Fast.On:
				r.Fail("the result has NoContraction, in an entry point that uses FPFastMathDefault")
			}
			return Freedom{Drop: ^uint16(0)}
		}
	}
	var give uint16
	switch {
	case own:
		give = r.fastMask(flags)
	case r.Fast.On:
		give = r.defaultOf(in)
	default:
		return Freedom{}
	}
	// A comparison itself uses only NotNaN and NotInf. Rules apply its other relaxations to the select that it
	// controls, which has the defaults.
	if t := r.Ids[in[1]].Aux; r.Types[t].Bits == 1 {
		choice := uint16(0)
		if !r.Fast.choice {
			choice = r.defaultOf(in)
		}
		give &= choice | uint16(kind.FloatNan|kind.FloatInf)
	}
	return Freedom{ownMask, give}
}

// defaultOf returns the relaxations of an instruction without flags: the intersection of the defaults for the float
// types of its operands and its result, or 0 if none of them has a float type.
func (r *Reader) defaultOf(in []uint32) uint16 {
	may, any := ^uint16(0), false
	also := func(typ uint32) {
		t := &r.Types[r.Ids[typ].Aux]
		if t.Op == spirvtab.OpTypeMatrix {
			t = r.TypeAt(t.Elem)
		}
		if t.Comps == 0 || t.Base != ir.TypeFloat {
			return
		}
		any = true
		if r.Fast.On {
			may &= r.Fast.may[floatIndex(t.Bits)]
		} else {
			may &= r.Mask(t.Bits)
		}
	}
	also(in[1])
	first := 3
	if r.Op(r.At) == spirvtab.OpExtInst {
		first = 5
	}
	for _, w := range in[min(first, len(in)):] { // a literal that looks like an id can only remove relaxations
		if w < r.Bound {
			if typ := r.Ids[w].Typ; typ != 0 && r.Ids[typ].Kind == idType {
				also(typ)
			}
		}
	}
	if !any {
		return 0
	}
	return may
}
