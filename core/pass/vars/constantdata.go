// SPDX-License-Identifier: MIT

package vars

import (
	"encoding/binary"
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// table describes a private variable to which only constants are stored.
type table struct {
	data    []byte // contents in the layout of constant data; bytes that no store writes are 0
	written []bool // by byte
	offset  uint32 // in Info.ConstData
	loads   bool
	varies  bool // the variable is not a table

	same  ir.Var // the first table with the same data; near and comps are recorded in that one only
	near  bool   // it is loaded at two places at a constant distance, so that the loads may merge
	comps uint8  // components of the largest load at a dynamic index
	form  tableForm
}

// tableAlign is the alignment of tables in bytes, the unit in which uniform buffers are read.
const tableAlign = 16

// ConstantData moves private variables that are constant into the constant data of the program, so that threads do not
// store them to their scratch memory. A variable is constant if only constants are stored to it, and no two different ones to a part of it:
// then a load returns the value that a store writes, or is undefined because it precedes the stores. Equal tables share
// their data. Tables whose values fit in fewer bits are narrowed, or packed into immediates, see tableForm.
func ConstantData(pc *pass.Context) bool {
	c := in(pc)
	if !c.private() {
		return false
	}
	plain := c.plainVars()
	if !c.findTables(plain) || !c.placeTables() {
		return false
	}
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

// tableFull reports whether constant data needs an entry of the binding table when none may be left.
func (c context) tableFull() bool {
	if c.Options.ConstantsAtAddress {
		return false
	}
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
	c.tableLoads, c.filled = c.tableLoads[:0], 0
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			var buf [maxChain]ir.Value
			x, chain := c.plainAccess(v, plain, &buf)
			switch {
			case chain == nil || c.tables[x].varies:
			case s.At(v).Intrinsic() == intrinsic.LoadDeref:
				c.noteLoad(v, x, chain)
			default:
				c.tables[x].varies = !c.storeTable(v, &c.tables[x], chain)
			}
		}
	}
	found := false
	if c.tableAt == nil {
		c.tableAt, c.nearTables = map[string]uint32{}, map[tablePlace]uint32{}
	}
	clear(c.tableAt)
	for x := range c.tables {
		t := &c.tables[x]
		if !t.loads || t.varies || t.data == nil {
			continue
		}
		first, ok := c.tableAt[string(t.data)]
		if !ok {
			first = uint32(x)
			c.tableAt[string(t.data)] = first
		}
		t.same, found = ir.Var(first), true
	}
	c.useLoads()
	for x := range c.tables {
		if t := &c.tables[x]; t.same != 0 {
			t.form = c.formOf(ir.Var(x), t)
		}
	}
	return found
}

// tableLoad describes a load from a table at dynamic indices.
type tableLoad struct {
	tablePlace
	known uint32 // the constant part of the offset
	comps uint8
}

// tablePlace is the common part of the places of loads at constant distances from one another.
type tablePlace struct {
	x  ir.Var
	at [2]ir.Src // the dynamic indices without the constants that are added to them
}

// noteLoad records load v from variable x.
func (c context) noteLoad(v ir.Value, x ir.Var, chain []ir.Value) {
	s := c.S
	c.tables[x].loads = true
	known, dynamic, ok := c.placeInTable(chain)
	if !ok || dynamic.Val == 0 {
		return
	}
	l, n := tableLoad{tablePlace: tablePlace{x: x}, comps: s.At(v).Comps}, 0
	for _, d := range chain[1:] {
		if s.At(d).DerefKind() == kind.DerefStruct {
			continue
		}
		index := s.Src(d, 1)
		if s.At(index.Val).IsConst() {
			continue
		}
		if s.At(index.Val).IsALU(op.IAdd) {
			if k, ok := s.ConstOf(s.Src(index.Val, 1)); ok {
				known += uint32(k) * c.strideInTable(s.DerefType(s.Src(d, 0).Val))
				index = s.Src(index.Val, 0)
			}
		}
		if n < len(l.at) { // with more indices, loads may seem to be near each other that are not
			l.at[n] = index.X()
		}
		n++
	}
	l.known = known
	c.tableLoads = append(c.tableLoads, l)
}

// useLoads sets near and comps of the tables from their loads.
func (c context) useLoads() {
	clear(c.nearTables)
	for _, l := range c.tableLoads {
		x := c.tables[l.x].same
		t := &c.tables[x]
		t.comps = max(t.comps, l.comps)
		l.x = x
		if at, ok := c.nearTables[l.tablePlace]; ok && at != l.known {
			t.near = true
		}
		c.nearTables[l.tablePlace] = l.known
	}
}

// storeTable adds the constants that v stores to the data of a table. It reports whether the table remains constant.
func (c context) storeTable(v ir.Value, t *table, chain []ir.Value) bool {
	s := c.S
	at, dynamic, ok := c.placeInTable(chain)
	if !ok {
		return true // it stores nothing
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
	if dynamic.Val != 0 {
		return c.storeInLoop(v, t, chain, at)
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

// placeTables adds the data of tables to the constant data, and reports whether loads from any table can be replaced.
func (c context) placeTables() bool {
	info := &c.S.Info
	full := c.tableFull()
	found := false
	if c.tableAt == nil {
		c.tableAt = map[string]uint32{}
	}
	clear(c.tableAt)
	for x := range c.tables {
		t := &c.tables[x]
		if t.varies || !t.loads || t.form.words > 0 {
			found = found || t.form.words > 0
			continue
		}
		if t.varies = full; full {
			continue
		}
		found = true
		data := t.stored(c.componentBits(c.S.Var(ir.Var(x)).Type))
		same, ok := c.tableAt[string(data)]
		if !ok {
			info.ConstData = append(info.ConstData, make([]byte, -len(info.ConstData)&(tableAlign-1))...)
			same = uint32(len(info.ConstData))
			info.ConstData = append(info.ConstData, data...)
			c.tableAt[string(data)] = same
		}
		t.offset = same
	}
	return found
}

// placeInTable returns the constant part of the offset of a chain of derefs in the data of its variable, and the last
// dynamic index, if any. ok is false if a constant index is outside of its array.
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

// strideInTable returns the distance in bytes between the elements of an array, a matrix or a vector in constant data.
func (c context) strideInTable(t ir.Type) uint32 {
	s := c.S
	l := s.LayoutOf(kind.ModeConstant)
	if s.Types.At(t).Kind == ir.TypeVector {
		_, bits, _ := s.Types.ScalarOf(t)
		return l.Scalar(bits)
	}
	return l.Stride(t)
}
