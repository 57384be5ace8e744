// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// mat is a matrix value: its columns.
type mat struct {
	col [4]ir.Src
	n   int // columns
}

func matOf(r *module.Reader, id uint32) mat {
	t := r.TypeOf(id)
	if t.Op != spirvtab.OpTypeMatrix {
		r.Fail("id %d is not a matrix", id)
	}
	v := Value(r, id)
	m := mat{n: int(t.N)}
	for i := range m.n {
		m.col[i] = Kid(r, v, t.Ir, i).Src
	}
	return m
}

func setMat(r *module.Reader, id uint32, m mat) {
	t := r.TypeOf(id)
	if t.Op != spirvtab.OpTypeMatrix || int(t.N) != m.n {
		r.Fail("the result type is not a matrix of %d columns", m.n)
	}
	ct := r.TypeAt(t.Elem)
	kids := NewKids(r, t.N)
	for i := range m.n {
		if m.col[i].N != ct.Comps || BitsOf(r, m.col[i]) != ct.Bits {
			r.Fail("the result type has columns of %d %d-bit components", ct.Comps, ct.Bits)
		}
		r.Tree[int(kids)+i] = Leaf(m.col[i])
	}
	Set(r, id, module.Value{Kids: kids})
}

// vecOf returns s after checking that it has n components.
func vecOf(r *module.Reader, s ir.Src, n int) ir.Src {
	if int(s.N) != n {
		r.Fail("an operand has %d components, but the matrix needs %d", s.N, n)
	}
	return s
}

// times returns the linear combination of a matrix's columns with the components of v. It starts with the last column,
// whose factor is most often the 1 of a position: its product is then the addend of the first fused operation.
func times(r *module.Reader, m mat, v ir.Src) ir.Src {
	last := m.n - 1
	vecOf(r, v, m.n)
	sum := product(r, m.col[last], v.Comp(last))
	for i := last - 1; i >= 0; i-- {
		sum = Alu(r, op.FAdd, product(r, m.col[i], v.Comp(i)), sum)
	}
	return sum
}

// product returns a product in a linear combination. A column with factor 0 may be left out, although it could contain
// infinities, unless the shader preserves signed zeros, infinities and NaN (then FloatNsz is not allowed), or the
// instruction has its own flags.
func product(r *module.Reader, a, b ir.Src) ir.Src {
	p := Alu(r, op.FMul, a, b)
	if in := r.S.At(p.Val); in.Float&uint16(kind.FloatNsz) != 0 && r.Own.Drop == 0 {
		in.Float |= uint16(kind.FloatNan)
	}
	return p
}

func transposed(r *module.Reader, m mat) mat {
	rows := int(m.col[0].N)
	out := mat{n: rows}
	var c [4]ir.Src
	for i := range rows {
		for j := range m.n {
			c[j] = m.col[j].Comp(i)
		}
		out.col[i] = Vec(r, c[:m.n])
	}
	return out
}

// MatrixInstr emits an operation on matrices.
func MatrixInstr(r *module.Reader, in []uint32) {
	id := in[2]
	switch r.Op(r.At) {
	case spirvtab.OpMatrixTimesScalar:
		m, s := matOf(r, in[3]), Scalar(r, in[4], 0)
		for i := range m.n {
			m.col[i] = Alu(r, op.FMul, m.col[i], s)
		}
		setMat(r, id, m)
	case spirvtab.OpMatrixTimesVector:
		SetSrc(r, id, times(r, matOf(r, in[3]), Src(r, in[4])))
	case spirvtab.OpVectorTimesMatrix:
		v, m := Src(r, in[3]), matOf(r, in[4])
		vecOf(r, v, int(m.col[0].N))
		SetSrc(r, id, times(r, transposed(r, m), v))
	case spirvtab.OpMatrixTimesMatrix:
		a, b := matOf(r, in[3]), matOf(r, in[4])
		for i := range b.n {
			b.col[i] = times(r, a, b.col[i])
		}
		setMat(r, id, b)
	case spirvtab.OpOuterProduct:
		a, b := Src(r, in[3]), Src(r, in[4])
		m := mat{n: int(b.N)}
		for i := range m.n {
			m.col[i] = Alu(r, op.FMul, a, b.Comp(i))
		}
		setMat(r, id, m)
	case spirvtab.OpTranspose:
		setMat(r, id, transposed(r, matOf(r, in[3])))
	}
}

// square returns the scalars of a matrix, by column and row, and their number in a column. It fails if the matrix is not
// square.
func square(r *module.Reader, id uint32) (e [4][4]ir.Src, n int) {
	m := matOf(r, id)
	for i := range m.n {
		vecOf(r, m.col[i], m.n)
		for j := range m.n {
			e[i][j] = m.col[i].Comp(j)
		}
	}
	return e, m.n
}

// det returns the determinant of the submatrix of e selected by columns and rows, expanded along its first column.
func det(r *module.Reader, e *[4][4]ir.Src, cols, rows []int) ir.Src {
	if len(cols) == 1 {
		return e[cols[0]][rows[0]]
	}
	if len(cols) == 2 {
		a := Alu(r, op.FMul, e[cols[0]][rows[0]], e[cols[1]][rows[1]])
		return Alu(r, op.FSub, a, Alu(r, op.FMul, e[cols[0]][rows[1]], e[cols[1]][rows[0]]))
	}
	var sum ir.Src
	for i := range rows {
		p := Alu(r, op.FMul, e[cols[0]][rows[i]], det(r, e, cols[1:], without(rows, i)))
		switch {
		case i == 0:
			sum = p
		case i%2 == 1:
			sum = Alu(r, op.FSub, sum, p)
		default:
			sum = Alu(r, op.FAdd, sum, p)
		}
	}
	return sum
}

func without(list []int, i int) []int {
	out := make([]int, 0, len(list)-1)
	return append(append(out, list[:i]...), list[i+1:]...)
}

var upTo = [5][]int{2: {0, 1}, 3: {0, 1, 2}, 4: {0, 1, 2, 3}}

// Determinant emits the determinant of a matrix.
func Determinant(r *module.Reader, id, m uint32) {
	e, n := square(r, m)
	SetSrc(r, id, det(r, &e, upTo[n], upTo[n]))
}

// Inverse divides the matrix of cofactors, transposed, by the determinant.
func Inverse(r *module.Reader, id, m uint32) {
	e, n := square(r, m)
	var cof [4][4]ir.Src // by row and column of the inverse
	for i := range n {
		for j := range n {
			c := det(r, &e, without(upTo[n], i), without(upTo[n], j))
			if (i+j)%2 == 1 {
				c = Alu(r, op.FNeg, c)
			}
			cof[j][i] = c
		}
	}
	// The expansion of the determinant along the first column uses the first row of cofactors.
	var det ir.Src
	for j := range n {
		p := Alu(r, op.FMul, e[0][j], cof[j][0])
		if j == 0 {
			det = p
		} else {
			det = Alu(r, op.FAdd, det, p)
		}
	}
	rcp := Alu(r, op.FRcp, det)
	out := mat{n: n}
	for i := range n {
		out.col[i] = Alu(r, op.FMul, Vec(r, cof[i][:n]), rcp)
	}
	setMat(r, id, out)
}
