package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/intrinsic"
)

func described(s shader) mir.Slot {
	if s.Index(intrinsic.IxLocation) > 31 {
		s.Fail("location", s.Index(intrinsic.IxLocation))
	}
	return mir.Slot{Index: s.Index(intrinsic.IxBase), Number: s.Index(intrinsic.IxLocation) + 1}
}
