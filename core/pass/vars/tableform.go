// SPDX-License-Identifier: MIT

package vars

import (
	"encoding/binary"
	"math"
	mathbits "math/bits"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/pass"
	"jacquard.example/generated/build"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// tableForm is the storage form of a table whose components all have one size: unchanged, with fewer bits per component,
// or packed into words that are operands of instructions.
type tableForm struct {
	bits   uint8 // of a component; 0 means as it is
	wider  widening
	words  uint8 // the number of packed words; 0 if the table is in memory
	packed [maxPacked]uint32
}

// widening is the operation that computes the value of a component from its bits in a tableForm.
type widening uint8

const (
	zeroExtended widening = iota
	signExtended
	fromHalf
)

// maxPacked is the number of words that a table may be packed into. A component is selected from them, shifted and
// masked, in fewer instructions than from up to maxSmallTable words, and in less time than by a message.
const maxPacked = 2

// A table from which only scalars are loaded is narrowed to bytes if it has more than minBytes bytes, the size of a cache
// line: the index need not be multiplied, only the result is extended, and lookups read fewer lines. A table that is
// narrowed to 16 bits, or from which vectors are loaded, must have more than minHalves bytes: extending the results takes
// more instructions, which pay off only because lookups read fewer lines, of which the data port of a subslice accesses
// one at a time. A table whose loads may merge stays as it is. 64-bit components become 32-bit ones whenever they fit.
const (
	minBytes  = 64
	minHalves = 1024
)

// formOf chooses the form of table t, which is variable x.
func (c context) formOf(x ir.Var, t *table) (f tableForm) {
	bits := c.componentBits(c.S.Var(x).Type)
	near, comps := c.tables[t.same].near, c.tables[t.same].comps
	if bits == 0 || comps == 0 {
		return f
	}
	c.Work.Spend(len(t.data))
	n := len(t.data) / int(bits/8)
	need := t.needs(bits)
	f.bits, f.wider = need[zeroExtended], zeroExtended
	if need[signExtended] < f.bits {
		f.bits, f.wider = need[signExtended], signExtended
	}
	if words := (n*int(f.bits) + 31) / 32; n > 2 && words <= maxPacked && f.bits <= 16 && (words == 1 || comps == 1) {
		f.words = uint8(words)
		for i := range n {
			at := i * int(f.bits)
			f.packed[at/32] |= uint32(t.component(i, bits)&(1<<f.bits-1)) << (at % 32)
		}
		return f
	}
	if need[fromHalf] < f.bits {
		f.bits, f.wider = need[fromHalf], fromHalf
	}
	f.bits = max(f.bits, 8)
	switch {
	case f.bits >= bits:
		return tableForm{}
	case f.bits == 32, !near && len(t.data) > minHalves, !near && len(t.data) > minBytes && f.bits == 8 && comps == 1:
		return f
	case bits == 64:
		f.bits = 32
		return f
	}
	return tableForm{}
}

// componentBits returns the size in bits of the scalars of a type in constant data, or 0 if there are several sizes.
func (c context) componentBits(t ir.Type) uint8 {
	tt := &c.S.Types
	switch x := tt.At(t); x.Kind {
	case ir.TypeArray, ir.TypeMatrix, ir.TypeVector:
		return c.componentBits(x.Elem)
	case ir.TypeStruct:
		bits := uint8(0)
		for i, m := range tt.Members(t) {
			b := c.componentBits(m.Type)
			if b == 0 || i > 0 && b != bits {
				return 0
			}
			bits = b
		}
		return bits
	}
	_, bits, _ := tt.ScalarOf(t)
	return dataBits(bits)
}

// component returns component i of a table whose components have the given size.
func (t *table) component(i int, bits uint8) uint64 {
	var k [8]byte
	copy(k[:], t.data[i*int(bits/8):][:bits/8])
	return binary.LittleEndian.Uint64(k[:])
}

// needs returns, for each widening, the number of bits, a power of two, that holds every component of a table; 64 or more
// if no fewer bits do.
func (t *table) needs(bits uint8) (need [3]uint8) {
	unsigned, signed := 1, 1
	half := bits == 32
	for i := range len(t.data) / int(bits/8) {
		k := t.component(i, bits)
		s := int64(k<<(64-bits)) >> (64 - bits)
		unsigned, signed = max(unsigned, mathbits.Len64(k)), max(signed, 1+mathbits.Len64(uint64(s^s>>63)))
		half = half && isHalf(uint32(k))
	}
	need = [3]uint8{zeroExtended: powerOfTwo(unsigned), signExtended: powerOfTwo(signed), fromHalf: 64}
	if half {
		need[fromHalf] = 16
	}
	return need
}

// isHalf reports whether a 32-bit float is equal to a 16-bit float that is normal or +0.
func isHalf(x uint32) bool {
	h := num.F32ToF16RNE(math.Float32frombits(x))
	exp := h >> 10 & 31
	return math.Float32bits(num.F16ToF32(h)) == x && exp != 31 && (exp != 0 || x == 0)
}

func powerOfTwo(n int) uint8 { return uint8(1) << mathbits.Len(uint(n-1)) }

// stored returns the data of a table in memory.
func (t *table) stored(bits uint8) []byte {
	if t.form.bits == 0 {
		return t.data
	}
	n := int(t.form.bits) / 8
	out := make([]byte, 0, len(t.data)/int(bits/8)*n)
	for i := range len(t.data) / int(bits/8) {
		k := t.component(i, bits)
		if t.form.wider == fromHalf {
			k = uint64(num.F32ToF16RNE(math.Float32frombits(uint32(k))))
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], k)
		out = append(out, b[:n]...)
	}
	return out
}

// widen returns the values of stored components, with the given size.
func (f *tableForm) widen(b *build.Builder, x ir.Src, bits uint8) ir.Src {
	switch {
	case f.bits == 0:
		return x
	case f.wider == fromHalf:
		return b.F2F32(x)
	case f.wider == signExtended:
		return b.ALU(extend[1][mathbits.TrailingZeros8(bits)-3], x)
	}
	return b.ALU(extend[0][mathbits.TrailingZeros8(bits)-3], x)
}

// extend has the zero extensions and the sign extensions to 8, 16, 32 and 64 bits.
var extend = [2][4]op.Op{{op.U2U8, op.U2U16, op.U2U32, op.U2U64}, {op.I2I8, op.I2I16, op.I2I32, op.I2I64}}

// unpackTable returns components of a packed table, from component at + known on.
func (c context) unpackTable(f *tableForm, at ir.Src, known uint32, comps, bits uint8) ir.Src {
	b := c.B
	size := uint32(f.bits)
	if known != 0 {
		at = b.IAdd(at, b.Imm(known))
	}
	var words [maxPacked]ir.Src
	for i := range words[:f.words] {
		words[i] = b.Imm(f.packed[i])
	}
	word := c.choose(words[:f.words], at, uint64(32/size))
	if size > 1 {
		at = b.IShl(at, b.Imm(uint32(mathbits.TrailingZeros32(size))))
	}
	var parts [fold.MaxComps]ir.Src
	for i := range uint32(comps) {
		shift := at
		if i > 0 {
			shift = b.IAdd(at, b.Imm(i*size))
		}
		x := b.UShr(word, shift)
		if f.wider == signExtended {
			x = b.IShr(b.IShl(x, b.Imm(32-size)), b.Imm(32-size))
		} else {
			x = b.IAnd(x, b.Imm(1<<size-1))
		}
		if bits != 32 {
			x = f.widen(b, x, bits)
		}
		parts[i] = x
	}
	return pass.VecOrOne(b, parts[:comps])
}

// loadTable returns the value of load v from a table.
func (c context) loadTable(v ir.Value, t *table, chain []ir.Value) ir.Src {
	s, b := c.S, c.B
	in := s.At(v)
	known, dynamic, ok := c.placeInTable(chain)
	if !ok || t.data == nil {
		return b.Undef(in.Comps, in.Bits)
	}
	if dynamic.Val == 0 {
		return c.constantOf(t.data[known:], in.Comps, in.Bits)
	}
	bits := dataBits(in.Bits)
	var r ir.Src
	if f, bytes := &t.form, uint32(bits)/8; f.words > 0 {
		at, _ := c.offsetInTable(chain, bytes, 1)
		r = c.unpackTable(f, at, known/bytes, in.Comps, bits)
	} else {
		unit := bytes // of a component in the data
		if f.bits != 0 {
			unit = uint32(f.bits) / 8
		}
		at, align := c.offsetInTable(chain, bytes, unit)
		size := uint32(len(t.data)) / bytes * unit
		known = t.offset + known/bytes*unit
		r = f.widen(b, b.LoadConstant(in.Comps, uint8(8*unit), at, int32(known), size, align, known%align), bits)
	}
	if in.Bits == 1 {
		return b.INe(r, b.Imm(0).X().Take(int(in.Comps)))
	}
	return r
}

// offsetInTable returns the dynamic part of the offset that a chain of derefs leads to, and the alignment of that part. A
// component of bytes bytes counts as units in both.
func (c context) offsetInTable(chain []ir.Value, bytes, units uint32) (at ir.Src, align uint32) {
	s, b := c.S, c.B
	align = tableAlign
	for _, d := range chain[1:] {
		if s.At(d).DerefKind() == kind.DerefStruct {
			continue
		}
		index := s.Src(d, 1)
		if _, constant := s.ConstOf(index); constant {
			continue
		}
		if s.At(index.Val).Bits != 32 {
			index = b.I2I32(index)
		}
		stride := c.strideInTable(s.DerefType(s.Src(d, 0).Val)) / bytes * units
		align = min(align, stride&-stride)
		if stride != 1 {
			index = b.IMul(index, b.Imm(stride))
		}
		if at.Val != 0 {
			index = b.IAdd(at, index)
		}
		at = index
	}
	return at, align
}

// constantOf returns the constant at the start of data.
func (c context) constantOf(data []byte, comps, bits uint8) ir.Src {
	var parts [fold.MaxComps]ir.Src
	bytes := int(dataBits(bits)) / 8
	for i := range int(comps) {
		var k [8]byte
		copy(k[:], data[i*bytes:][:bytes])
		parts[i] = c.B.ImmN(bits, binary.LittleEndian.Uint64(k[:]))
	}
	return pass.Vec(c.B, parts[:comps])
}
