package ra

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

const first = isa.ICL // want `ICL names a platform`

func places(p isa.Platform, t *target.Target) int {
	switch {
	case p == isa.TGL: // want `TGL names a platform`
		return 1
	case t == target.TGL, t.Name == "tgl": // want `TGL names a platform` `"tgl" names a platform`
		return 2
	case isSKL(p): // want `isSKL names a platform`
		return 3
	}
	return int(first) // want `first is a platform`
}

func isSKL(p isa.Platform) bool { return p > 7 } // want `isSKL names a platform`
