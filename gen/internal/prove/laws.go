// SPDX-License-Identifier: MIT

package prove

import (
	"fmt"
	"math"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/opcodes"
)

// In an abstract formula float arithmetic consists of uninterpreted functions with these
// laws, all of them of IEEE 754 with rounding to nearest even:
//
//   - the magnitude of a product or quotient depends on the magnitudes of the
//     operands, and its sign on their signs (6.3); x*1 = x and x/1 = x;
//   - x - y = x + (-y); a sum that is not zero changes its sign with both
//     operands, and a zero sum is negative when both operands are (6.3); x + 0 = x
//     unless x is zero; x + (-x) = +0, of infinities NaN (7.2);
//   - fma(x, y, z) depends on the magnitudes and the joint sign of x and y, and
//     changes its sign with that sign and z unless it is zero; fma(x, 1, z) = x + z,
//     fma(x, y, -0) = x*y, and fma(x, y, +0) = x*y unless it is zero;
//   - sums and products are commutative; a NaN operand makes the result NaN.
//
// TestAlgebraicLaws checks each definition against the arithmetic itself, with the uninterpreted
// functions replaced by what they represent.
//
// In the text F! stands for the sort, W for the width, 1! and 0! for constants.
const lawText = `(declare-fun u.mul.W (F! F!) F!)
(declare-fun u.div.W (F! F!) F!)
(declare-fun u.add.W (F! F!) F!)
(declare-fun u.fma.W (F! F! F!) F!)
(declare-fun u.sqrt.W (F!) F!)
(declare-fun s.fma.W (F! F! Bool F!) Bool)
(define-fun signed.W ((minus Bool) (x F!)) F! (ite minus (fp.neg x) x))
(define-fun zero.W ((minus Bool)) F! (signed.W minus 0!))
(define-fun abs.mul.W ((x F!) (y F!)) F! (ite (or (fp.isNaN x) (fp.isNaN y)) NaN! (signed.W (xor (fp.isNegative x) (fp.isNegative y)) (ite (= (fp.abs y) 1!) (fp.abs x) (ite (= (fp.abs x) 1!) (fp.abs y) (fp.abs (ite (fp.leq (fp.abs x) (fp.abs y)) (u.mul.W (fp.abs x) (fp.abs y)) (u.mul.W (fp.abs y) (fp.abs x)))))))))
(define-fun abs.div.W ((x F!) (y F!)) F! (ite (or (fp.isNaN x) (fp.isNaN y)) NaN! (signed.W (xor (fp.isNegative x) (fp.isNegative y)) (ite (= (fp.abs y) 1!) (fp.abs x) (fp.abs (u.div.W (fp.abs x) (fp.abs y)))))))
(define-fun abs.add.W ((x F!) (y F!)) F! (ite (or (fp.isNaN x) (fp.isNaN y)) NaN! (let ((p (ite (fp.geq (fp.abs x) (fp.abs y)) x y)) (q (ite (fp.geq (fp.abs x) (fp.abs y)) y x))) (ite (fp.isZero q) (ite (fp.isZero p) (zero.W (and (fp.isNegative x) (fp.isNegative y))) p) (ite (= q (fp.neg p)) (ite (fp.isInfinite p) NaN! 0!) (let ((r (u.add.W (fp.abs p) (signed.W (fp.isNegative p) q)))) (ite (fp.isZero r) (zero.W (and (fp.isNegative x) (fp.isNegative y))) (signed.W (fp.isNegative p) r))))))))
(define-fun abs.sub.W ((x F!) (y F!)) F! (abs.add.W x (fp.neg y)))
(define-fun abs.fma.W ((x F!) (y F!) (z F!)) F! (ite (or (fp.isNaN x) (fp.isNaN y) (fp.isNaN z)) NaN! (let ((minus (xor (fp.isNegative x) (fp.isNegative y)))) (let ((m (abs.mul.W x y)) (p (ite (fp.leq (fp.abs x) (fp.abs y)) (fp.abs x) (fp.abs y))) (q (ite (fp.leq (fp.abs x) (fp.abs y)) (fp.abs y) (fp.abs x)))) (let ((zero (zero.W (s.fma.W p q minus z))) (r (u.fma.W p q (signed.W minus z)))) (ite (= (fp.abs y) 1!) (abs.add.W (signed.W (fp.isNegative y) x) z) (ite (= (fp.abs x) 1!) (abs.add.W (signed.W (fp.isNegative x) y) z) (ite (= z (fp.neg 0!)) m (ite (= z 0!) (ite (fp.isZero m) zero m) (ite (fp.isZero r) zero (signed.W minus r)))))))))))
(define-fun abs.sqrt.W ((x F!)) F! (ite (fp.isNaN x) NaN! (u.sqrt.W x)))`

// lawful replaces float arithmetic in the terms of an opcode with the functions
// of lawText. ok is false if other arithmetic remains, or the opcode has no
// floats or floats of different widths.
func (f *formula) lawful(o *opcodes.Op, exec int, terms []string) ([]string, bool) {
	w := 0
	for _, x := range append([]opcodes.Operand{o.Out}, o.Srcs...) {
		if t := x.Type(exec); t.Base == eval.Float {
			if w != 0 && w != t.Bits {
				return nil, false
			}
			w = t.Bits
		}
	}
	if w == 0 {
		return nil, false
	}
	var pairs []string
	for _, op := range []string{"add", "sub", "mul", "div", "fma", "sqrt"} {
		pairs = append(pairs, "(fp."+op+" RNE ", fmt.Sprintf("(abs.%s.%d ", op, w))
	}
	r := strings.NewReplacer(pairs...)
	out := make([]string, len(terms))
	for i, t := range terms {
		out[i] = r.Replace(t)
		if heavy(out[i]) {
			return nil, false
		}
	}
	key := fmt.Sprintf("laws %d", w)
	if !f.assumed[key] {
		f.assumed[key] = true
		t := eval.Type{Base: eval.Float, Bits: w}
		fill := strings.NewReplacer("F!", t.SMTSort(), ".W", fmt.Sprintf(".%d", w),
			"1!", eval.SMTConst(eval.FloatBits(1, w), t), "0!", eval.SMTConst(0, t), "NaN!", eval.SMTConst(eval.FloatBits(math.NaN(), w),
				t))
		f.lines = append(f.lines, fill.Replace(lawText))
	}
	f.unknown = true
	return out, true
}
