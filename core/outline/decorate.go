// SPDX-License-Identifier: MIT

package outline

import "jacquard.example/generated/spirvtab"

// member is a member of a struct type, by the type's id.
type member struct{ of, index uint32 }

// marks are the decorations of an id or a member.
type marks struct {
	has                                mark // the set of decorations
	set, binding, spec, offset, stride uint32
}

// mark is a set of decorations.
type mark uint16

const (
	block mark = 1 << iota
	bufferBlock
	nonWritable
	nonReadable
	rowMajor
	specID  // spec
	inSet   // set
	bound   // binding
	placed  // offset
	strided // stride, of an array or a matrix
)

// flags are the decorations without a literal.
var flags = map[uint32]mark{
	spirvtab.DecorationBlock: block, spirvtab.DecorationBufferBlock: bufferBlock, spirvtab.DecorationNonWritable: nonWritable,
	spirvtab.DecorationNonReadable: nonReadable, spirvtab.DecorationRowMajor: rowMajor,
}

// add adds a decoration with its literals. It reports whether they are complete.
func (m *marks) add(num uint32, literals []uint32) bool {
	m.has |= flags[num]
	where, what := (*uint32)(nil), mark(0)
	switch num {
	case spirvtab.DecorationSpecId:
		where, what = &m.spec, specID
	case spirvtab.DecorationDescriptorSet:
		where, what = &m.set, inSet
	case spirvtab.DecorationBinding:
		where, what = &m.binding, bound
	case spirvtab.DecorationOffset:
		where, what = &m.offset, placed
	case spirvtab.DecorationArrayStride, spirvtab.DecorationMatrixStride:
		where, what = &m.stride, strided
	default:
		return true
	}
	if len(literals) == 0 {
		return false
	}
	*where = literals[0]
	m.has |= what
	return true
}

// merge adds the decorations of a group.
func (m *marks) merge(g marks) {
	for _, x := range []struct {
		is       mark
		to, from *uint32
	}{
		{specID, &m.spec, &g.spec}, {inSet, &m.set, &g.set}, {bound, &m.binding, &g.binding}, {placed, &m.offset, &g.offset},
		{strided, &m.stride, &g.stride},
	} {
		if g.has&x.is != 0 {
			*x.to = *x.from
		}
	}
	m.has |= g.has
}

// decorate records an instruction that decorates ids or members.
func (r *reader) decorate(at uint32, in []uint32) error {
	ok := true
	switch r.op(at) {
	case spirvtab.OpDecorate:
		if in[2] == spirvtab.DecorationBuiltIn && len(in) > 3 && in[3] == workgroupSize {
			r.size = at
		}
		m := r.marks[in[1]]
		ok = m.add(in[2], in[3:])
		r.marks[in[1]] = m
	case spirvtab.OpMemberDecorate:
		key := member{in[1], in[2]}
		m := r.memberMarks[key]
		ok = m.add(in[3], in[4:])
		r.memberMarks[key] = m
	case spirvtab.OpGroupDecorate:
		group := r.marks[in[1]]
		for _, id := range in[2:] {
			m := r.marks[id]
			m.merge(group)
			r.marks[id] = m
		}
	case spirvtab.OpGroupMemberDecorate:
		group := r.marks[in[1]]
		for i := 2; i+1 < len(in); i += 2 {
			key := member{in[i], in[i+1]}
			m := r.memberMarks[key]
			m.merge(group)
			r.memberMarks[key] = m
		}
	}
	if !ok {
		return r.errorf(at, "the decoration has no literal")
	}
	return nil
}
