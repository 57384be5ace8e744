package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// mat is a matrix value: its columns.
type mat struct {
	col [4]ir.Src
	n   int // columns
}

func (r *reader) mat(id uint32) mat {
	t := r.typeOf(id)
	if t.op != spirvtab.OpTypeMatrix {
		r.fail("id %d is not a matrix", id)
	}
	v := r.value(id)
	m := mat{n: int(t.n)}
	for i := range m.n {
		m.col[i] = r.kid(v, t.ir, i).src
	}
	return m
}

func (r *reader) setMat(id uint32, m mat) {
	t := r.typeOf(id)
	if t.op != spirvtab.OpTypeMatrix || int(t.n) != m.n {
		r.fail("the result type is not a matrix of %d columns", m.n)
	}
	ct := r.typeAt(t.elem)
	kids := r.newKids(t.n)
	for i := range m.n {
		if m.col[i].N != ct.comps || r.bitsOf(m.col[i]) != ct.bits {
			r.fail("the result type has columns of %d components of %d bits", ct.comps, ct.bits)
		}
		r.tree[int(kids)+i] = leaf(m.col[i])
	}
	r.set(id, value{kids: kids})
}

// vecOf checks that s has n components.
func (r *reader) vecOf(s ir.Src, n int) ir.Src {
	if int(s.N) != n {
		r.fail("an operand has %d components, but the matrix needs %d", s.N, n)
	}
	return s
}

// times returns the linear combination of a matrix's columns with the components of v. It starts with the last column,
// whose factor is most often the 1 of a position: its product is then the addend of the first fused operation.
func (r *reader) times(m mat, v ir.Src) ir.Src {
	last := m.n - 1
	r.vecOf(v, m.n)
	sum := r.product(m.col[last], v.Comp(last))
	for i := last - 1; i >= 0; i-- {
		sum = r.alu(op.FAdd, r.product(m.col[i], v.Comp(i)), sum)
	}
	return sum
}

// product returns a product in a linear combination. A column with factor 0 may be left out, although it could contain
// infinities, unless the shader preserves signed zeros, infinities and NaN (then FloatNsz is not allowed), or the
// instruction has its own flags.
func (r *reader) product(a, b ir.Src) ir.Src {
	p := r.alu(op.FMul, a, b)
	if in := r.s.At(p.Val); in.Float&uint16(kind.FloatNsz) != 0 && r.own.drop == 0 {
		in.Float |= uint16(kind.FloatNan)
	}
	return p
}

func (r *reader) transposed(m mat) mat {
	rows := int(m.col[0].N)
	out := mat{n: rows}
	var c [4]ir.Src
	for i := range rows {
		for j := range m.n {
			c[j] = m.col[j].Comp(i)
		}
		out.col[i] = r.vec(c[:m.n])
	}
	return out
}

func (r *reader) matrixInstr(in []uint32) {
	id := in[2]
	switch r.op(r.at) {
	case spirvtab.OpMatrixTimesScalar:
		m, s := r.mat(in[3]), r.scalar(in[4], 0)
		for i := range m.n {
			m.col[i] = r.alu(op.FMul, m.col[i], s)
		}
		r.setMat(id, m)
	case spirvtab.OpMatrixTimesVector:
		r.setSrc(id, r.times(r.mat(in[3]), r.src(in[4])))
	case spirvtab.OpVectorTimesMatrix:
		v, m := r.src(in[3]), r.mat(in[4])
		r.vecOf(v, int(m.col[0].N))
		r.setSrc(id, r.times(r.transposed(m), v))
	case spirvtab.OpMatrixTimesMatrix:
		a, b := r.mat(in[3]), r.mat(in[4])
		for i := range b.n {
			b.col[i] = r.times(a, b.col[i])
		}
		r.setMat(id, b)
	case spirvtab.OpOuterProduct:
		a, b := r.src(in[3]), r.src(in[4])
		m := mat{n: int(b.N)}
		for i := range m.n {
			m.col[i] = r.alu(op.FMul, a, b.Comp(i))
		}
		r.setMat(id, m)
	case spirvtab.OpTranspose:
		r.setMat(id, r.transposed(r.mat(in[3])))
	}
}

// square returns the scalars of a matrix that must be square.
func (r *reader) square(id uint32) (e [4][4]ir.Src, n int) {
	m := r.mat(id)
	for i := range m.n {
		r.vecOf(m.col[i], m.n)
		for j := range m.n {
			e[i][j] = m.col[i].Comp(j)
		}
	}
	return e, m.n
}

// det returns the determinant of the submatrix of e selected by rows and columns,
// expanded along its first column.
func (r *reader) det(e *[4][4]ir.Src, cols, rows []int) ir.Src {
	if len(cols) == 1 {
		return e[cols[0]][rows[0]]
	}
	if len(cols) == 2 {
		a := r.alu(op.FMul, e[cols[0]][rows[0]], e[cols[1]][rows[1]])
		return r.alu(op.FSub, a, r.alu(op.FMul, e[cols[0]][rows[1]], e[cols[1]][rows[0]]))
	}
	var sum ir.Src
	for i := range rows {
		p := r.alu(op.FMul, e[cols[0]][rows[i]], r.det(e, cols[1:], without(rows, i)))
		switch {
		case i == 0:
			sum = p
		case i%2 == 1:
			sum = r.alu(op.FSub, sum, p)
		default:
			sum = r.alu(op.FAdd, sum, p)
		}
	}
	return sum
}

func without(list []int, i int) []int {
	out := make([]int, 0, len(list)-1)
	return append(append(out, list[:i]...), list[i+1:]...)
}

var upTo = [5][]int{2: {0, 1}, 3: {0, 1, 2}, 4: {0, 1, 2, 3}}

func (r *reader) determinant(id, m uint32) {
	e, n := r.square(m)
	r.setSrc(id, r.det(&e, upTo[n], upTo[n]))
}

// inverse divides the matrix of cofactors, transposed, by the determinant.
func (r *reader) inverse(id, m uint32) {
	e, n := r.square(m)
	var cof [4][4]ir.Src // by row and column of the inverse
	for i := range n {
		for j := range n {
			c := r.det(&e, without(upTo[n], i), without(upTo[n], j))
			if (i+j)%2 == 1 {
				c = r.alu(op.FNeg, c)
			}
			cof[j][i] = c
		}
	}
	// The expansion of the determinant along the first column uses the first row of cofactors.
	var det ir.Src
	for j := range n {
		p := r.alu(op.FMul, e[0][j], cof[j][0])
		if j == 0 {
			det = p
		} else {
			det = r.alu(op.FAdd, det, p)
		}
	}
	rcp := r.alu(op.FRcp, det)
	out := mat{n: n}
	for i := range n {
		out.col[i] = r.alu(op.FMul, r.vec(cof[i][:n]), rcp)
	}
	r.setMat(id, out)
}
