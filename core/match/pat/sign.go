// SPDX-License-Identifier: MIT

package pat

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// carriesSign marks the operations through which rules move a sign or magnitude from the result to the operands.
var carriesSign = [op.Count]bool{
	op.FMul: true, op.FAdd: true, op.FFma: true, op.FMin: true, op.FMax: true, op.FTrunc: true, op.FRoundEven: true,
	op.FFloor: true, op.FCeil: true, op.FRcp: true, op.F2F16: true, op.F2F32: true,
}

// SignMoves reports whether it pays to move the sign applied to x, a float operation, to the operands of x. It does not
// pay if the sign would move on through one of the operands although float operations absorb it where it is: in a chain
// of such operations, each sign would move to the first operation.
func SignMoves(s *ir.Shader, x ir.Src) bool {
	return !movesOn(s, x.Val) || !absorbed(s, x.Val)
}

// movesOn reports whether a sign would move on through an operand of v.
func movesOn(s *ir.Shader, v ir.Value) bool {
	for i := range int(s.At(v).NSrc) {
		x := s.Src(v, i).Val
		if in := s.At(x); in.Kind == kind.ALU && carriesSign[in.Op] && s.UsedOnce(x) {
			return true
		}
	}
	return false
}

// absorbed reports whether every user of v is a sign or magnitude that only float operations use.
func absorbed(s *ir.Shader, v ir.Value) bool {
	for sign := range s.Uses(v) {
		if sign.User == 0 {
			return false
		}
		for u := range s.Uses(sign.User) {
			if u.User == 0 {
				return false
			}
			in := s.At(u.User)
			if in.Kind != kind.ALU || in.ALUOp().Info().Src[0].Base != op.Float {
				return false
			}
		}
	}
	return true
}
