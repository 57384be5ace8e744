package spirv

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

// fastFlags maps flags to relaxations of instructions in the IR. AllowRecip has no counterpart: no rule only replaces a
// quotient by a product with a reciprocal. Denormals depend on the denorm modes, not on flags.
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
	on     bool      // some type has a default
	set    [3]bool   // by size: whether there is a default
	may    [3]uint16 // by size: the default, a kind.FloatMask
	choice bool      // some instruction that only selects or copies floats has its own flags
}

// freedom changes the default relaxations of an instruction: drop is removed, then give is added.
type freedom struct{ drop, give uint16 }

// ownMask are the relaxations that an instruction with its own flags does not inherit from the default.
const ownMask = ^uint16(kind.FloatDenorm)

// fastMask returns the relaxations that a mask of flags allows.
func (r *reader) fastMask(flags uint32) (may uint16) {
	const both = fastContract | fastReassoc
	switch {
	case flags&^fastKnown != 0:
		r.fail("unknown flags %#x in an FP Fast Math Mode", flags&^fastKnown)
	case flags&fastTransform != 0 && flags&both != both:
		r.fail("AllowTransform without AllowContract and AllowReassoc")
	case flags&fastAll != 0 && r.fast.on:
		r.fail("the flag Fast in an entry point that uses FPFastMathDefault")
	}
	for _, f := range fastFlags {
		if flags&f.flags != 0 {
			may |= uint16(f.may)
		}
	}
	return may
}

// fastDefault reads an execution mode FPFastMathDefault.
func (r *reader) fastDefault(in []uint32) {
	if len(in) < 5 {
		r.fail("execution mode FPFastMathDefault needs a type and flags")
	}
	if in[3] >= r.bound || r.ids[in[3]].kind != idType || r.typeAt(in[3]).op != spirvtab.OpTypeFloat {
		r.fail("execution mode FPFastMathDefault: id %d is not a type of floats", in[3])
	}
	flags, ok := r.constScalar(in[4])
	if !ok || r.typeOf(in[4]).bits != 32 || r.op(r.ids[in[4]].word) == spirvtab.OpSpecConstant {
		r.fail("execution mode FPFastMathDefault: id %d is not a constant of 32 bits", in[4])
	}
	i := floatIndex(r.typeAt(in[3]).bits)
	if r.fast.set[i] {
		r.fail("a second FPFastMathDefault for type id %d", in[3])
	}
	r.fast.on, r.fast.set[i] = true, true
	r.fast.may[i] = r.fastMask(uint32(flags))
}

// floatIndex maps the sizes 16, 32 and 64 to 0, 1 and 2.
func floatIndex(size uint8) int { return bits.Len8(size) - 5 }

// findChoices determines whether an instruction that only selects or copies floats has flags. The corresponding
// instructions of the IR have none.
func (r *reader) findChoices() {
	for i := range r.ids[:r.bound] {
		rec := &r.ids[i]
		if rec.dec == 0 || rec.word == 0 || !r.has(uint32(i), spirvtab.DecorationFPFastMathMode) {
			continue
		}
		if o := r.op(rec.word); o != spirvtab.OpExtInst && spirvtab.Lookup(o).Program[0] == 0 {
			r.fast.choice = true
		}
	}
}

// freedomOf returns the difference between an instruction's relaxations and the default. NoContraction allows none, not
// even of the sign of a zero: exactly this operation is required (SPIR-V specification 3.20). With FPFastMathMode, or
// in an entry point with defaults, the flags decide.
func (r *reader) freedomOf(in []uint32) freedom {
	flags, own := uint32(0), false
	if r.ids[in[2]].dec != 0 {
		flags, own = r.find(in[2], spirvtab.DecorationFPFastMathMode)
		if r.has(in[2], spirvtab.DecorationNoContraction) {
			switch {
			case own:
				r.fail("the result has both NoContraction and FPFastMathMode")
			case r.fast.on:
				r.fail("the result has NoContraction, in an entry point that uses FPFastMathDefault")
			}
			return freedom{drop: ^uint16(0)}
		}
	}
	var give uint16
	switch {
	case own:
		give = r.fastMask(flags)
	case r.fast.on:
		give = r.defaultOf(in)
	default:
		return freedom{}
	}
	// A comparison itself uses only NotNaN and NotInf. Rules apply its other relaxations to the select that it
	// controls, which has the defaults.
	if t := r.ids[in[1]].aux; r.types[t].bits == 1 {
		choice := uint16(0)
		if !r.fast.choice {
			choice = r.defaultOf(in)
		}
		give &= choice | uint16(kind.FloatNan|kind.FloatInf)
	}
	return freedom{ownMask, give}
}

// defaultOf returns the relaxations of an instruction without flags: the intersection of the defaults for the float
// types of its operands and its result.
func (r *reader) defaultOf(in []uint32) uint16 {
	may, any := ^uint16(0), false
	also := func(typ uint32) {
		t := &r.types[r.ids[typ].aux]
		if t.op == spirvtab.OpTypeMatrix {
			t = r.typeAt(t.elem)
		}
		if t.comps == 0 || t.base != ir.TypeFloat {
			return
		}
		any = true
		if r.fast.on {
			may &= r.fast.may[floatIndex(t.bits)]
		} else {
			may &= r.mask(t.bits)
		}
	}
	also(in[1])
	first := 3
	if r.op(r.at) == spirvtab.OpExtInst {
		first = 5
	}
	for _, w := range in[min(first, len(in)):] { // a literal that looks like an id can only remove relaxations
		if w < r.bound {
			if typ := r.ids[w].typ; typ != 0 && r.ids[typ].kind == idType {
				also(typ)
			}
		}
	}
	if !any {
		return 0
	}
	return may
}
