package vars

import (
	"encoding/binary"
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// table describes a private variable to which only constants are stored.
type table struct {
	data    []byte // in the layout of constant data; bytes that no store writes are 0
	written []bool // by byte
	offset  uint32 // in Info.ConstData
	loads   bool
	varies  bool // the variable is not a table
}

// tableAlign is the alignment of tables in bytes, the unit in which uniform buffers are read.
const tableAlign = 16

// ConstantData moves private variables that are constant into the constant data of the program, so that threads do not
// store them to their scratch memory. A variable is constant if no two stores write different values to a part of it:
// then a load returns the value that a store writes, or is undefined because it precedes the stores. Equal tables share
// their data.
func ConstantData(pc *pass.Context) bool {
	c := in(pc)
	if c.Options.NoConstantData || !c.private() || c.tableFull() {
		return false
	}
	plain := c.plainVars()
	if !c.findTables(plain) {
		return false
	}
	c.placeTables()
	s := c.S
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			var buf [maxChain]ir.Value
			x, chain := c.plainAccess(v, plain, &buf)
			if chain == nil || c.tables[x].varies || !c.tables[x].loads {
				continue
			}
			if s.At(v).Intrinsic() == intrinsic.LoadDeref {
				c.B.Before(v)
				s.ReplaceUses(v, c.loadTable(v, &c.tables[x], chain))
			}
			s.Remove(v)
		}
	}
	values.DeadCode(c.Context) // removes derefs of tables, so that DeadVars removes the variables
	return true
}

// tableFull reports whether the binding table may have no entry left for constant data.
func (c context) tableFull() bool {
	n := uint32(0)
	for x := range c.S.Vars(pass.InTable) {
		n = ir.SatAdd(n, c.DescriptorsOf(x))
	}
	last := uint32(0)
	for _, at := range c.Options.Places {
		last = max(last, at.Entry)
	}
	return int64(ir.SatAdd(last, n)) >= int64(c.Target().Bindings)
}

// findTables collects the values that are stored to plain variables, and reports whether any of them is a table.
func (c context) findTables(plain []bool) bool {
	s := c.S
	c.tables = reuse.Zeroed(c.tables, s.NumVars())
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			var buf [maxChain]ir.Value
			x, chain := c.plainAccess(v, plain, &buf)
			switch {
			case chain == nil || c.tables[x].varies:
			case s.At(v).Intrinsic() == intrinsic.LoadDeref:
				c.tables[x].loads = true
			default:
				c.tables[x].varies = !c.storeTable(v, &c.tables[x], chain)
			}
		}
	}
	for x := range c.tables {
		if t := &c.tables[x]; t.loads && !t.varies && t.data != nil {
			return true
		}
	}
	return false
}

// storeTable adds the constants that v stores to the data of a table. It reports whether the table remains constant.
func (c context) storeTable(v ir.Value, t *table, chain []ir.Value) bool {
	s := c.S
	at, dynamic, ok := c.placeInTable(chain)
	if !ok {
		return true // it stores nothing
	}
	if dynamic.Val != 0 {
		return false
	}
	if t.data == nil {
		size, _ := s.LayoutOf(kind.ModeConstant).Size(s.Var(s.DerefVar(chain[0])).Type)
		if size > math.MaxUint16 {
			return false // beyond the size that Vulkan guarantees for uniform buffers
		}
		c.Work.Spend(int(size))
		t.data, t.written = make([]byte, size), make([]bool, size)
	}
	val := s.Src(v, 1)
	if s.At(val.Val).Kind == kind.Undef {
		return true
	}
	bytes := dataBits(s.At(val.Val).Bits) / 8
	for i := range uint32(val.N) {
		if s.Index(v, intrinsic.IxWriteMask)>>i&1 == 0 {
			continue
		}
		k, known := s.ConstOf(val.Comp(int(i)))
		if !known || !t.set(at+i*uint32(bytes), k, int(bytes)) {
			return false
		}
	}
	return true
}

// set stores the low bytes of k at an offset. It reports whether the bytes there had no other value.
func (t *table) set(at uint32, k uint64, bytes int) bool {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], k)
	for i := range bytes {
		p := int(at) + i
		if p >= len(t.data) {
			return true // outside of the variable
		}
		if t.written[p] && t.data[p] != b[i] {
			return false
		}
		t.data[p], t.written[p] = b[i], true
	}
	return true
}

// dataBits returns the size in bits of a component in constant data.
func dataBits(bits uint8) uint8 {
	if bits == 1 {
		return 32
	}
	return bits
}

// placeTables adds the data of tables to the constant data.
func (c context) placeTables() {
	info := &c.S.Info
	if c.tableAt == nil {
		c.tableAt = map[string]uint32{}
	}
	clear(c.tableAt)
	for x := range c.tables {
		t := &c.tables[x]
		if t.varies || !t.loads {
			continue
		}
		same, ok := c.tableAt[string(t.data)]
		if !ok {
			info.ConstData = append(info.ConstData, make([]byte, -len(info.ConstData)&(tableAlign-1))...)
			same = uint32(len(info.ConstData))
			info.ConstData = append(info.ConstData, t.data...)
			c.tableAt[string(t.data)] = same
		}
		t.offset = same
	}
}

// placeInTable returns the offset of a chain of derefs in the data of its variable: a constant part and, unless all
// indices are constants, a dynamic part. ok is false if a constant index is outside of its array.
func (c context) placeInTable(chain []ir.Value) (known uint32, dynamic ir.Src, ok bool) {
	s := c.S
	l := s.LayoutOf(kind.ModeConstant)
	for _, d := range chain[1:] {
		parent := s.DerefType(s.Src(d, 0).Val)
		if s.At(d).DerefKind() == kind.DerefStruct {
			known += l.Offset(parent, int(s.Words(d)[kind.FieldDerefStructMember]))
			continue
		}
		t := s.Types.At(parent)
		index := s.Src(d, 1)
		k, constant := s.ConstOf(index)
		switch {
		case !constant:
			dynamic = index
		case k >= uint64(t.Len):
			return 0, ir.Src{}, false
		default:
			known += uint32(k) * c.strideInTable(parent)
		}
	}
	return known, dynamic, true
}

// strideInTable returns the distance in bytes of the elements of an array, a matrix or a vector in constant data.
func (c context) strideInTable(t ir.Type) uint32 {
	s := c.S
	l := s.LayoutOf(kind.ModeConstant)
	if s.Types.At(t).Kind == ir.TypeVector {
		_, bits, _ := s.Types.ScalarOf(t)
		return l.Scalar(bits)
	}
	return l.Stride(t)
}

// loadTable returns the value of load v from a table.
func (c context) loadTable(v ir.Value, t *table, chain []ir.Value) ir.Src {
	s, b := c.S, c.B
	in := s.At(v)
	known, dynamic, ok := c.placeInTable(chain)
	bits := dataBits(in.Bits)
	if !ok || t.data == nil {
		return b.Undef(in.Comps, in.Bits)
	}
	if dynamic.Val == 0 {
		return c.constantOf(t.data[known:], in.Comps, in.Bits)
	}
	align := uint32(tableAlign)
	var at ir.Src
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
		stride := c.strideInTable(s.DerefType(s.Src(d, 0).Val))
		align = min(align, stride&-stride)
		if index = b.IMul(index, b.Imm(stride)); at.Val != 0 {
			index = b.IAdd(at, index)
		}
		at = index
	}
	known += t.offset
	r := b.LoadConstant(in.Comps, bits, at, int32(known), uint32(len(t.data)), align, known%align)
	if in.Bits == 1 {
		return b.INe(r, b.Imm(0))
	}
	return r
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
