package pat

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// carriesSign marks the operations that a sign or magnitude of the result moves through, to their operands.
var carriesSign = [op.Count]bool{
	op.FMul: true, op.FAdd: true, op.FFma: true, op.FMin: true, op.FMax: true, op.FTrunc: true, op.FRoundEven: true,
	op.FFloor: true, op.FCeil: true, op.FRcp: true, op.F2F16: true, op.F2F32: true,
}

// SignMoves reports whether it pays to move the sign of the float operation x, which its only user takes, to the
// operands. It does unless the sign would move on, through an operation below, while all users of the sign are float
// operations, which absorb it where it stands: of a chain of such operations each would pass its sign down to the first.
func SignMoves(s *ir.Shader, x ir.Src) bool {
	return !movesOn(s, x.Val) || !absorbed(s, x.Val)
}

// movesOn reports whether an operand of v is an operation that a sign moves through.
func movesOn(s *ir.Shader, v ir.Value) bool {
	for i := range int(s.At(v).NSrc) {
		x := s.SrcVal(v, i)
		if in := s.At(x); in.Kind == kind.ALU && carriesSign[in.Op] && s.UsedOnce(x) {
			return true
		}
	}
	return false
}

// absorbed reports whether every user of v is a sign, or magnitude, whose users are all operations on floats.
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
