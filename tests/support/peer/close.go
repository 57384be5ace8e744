// SPDX-License-Identifier: MIT

package peer

import (
	"fmt"
	"math"

	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/core/draw"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/kind"
)

// tolerance is the relative difference of two floats that compilers may cause: they contract and reorder operations, and
// the math unit and the functions of a driver round differently. Numbers below 1 may differ by as much as 1 may.
const tolerance = 1e-4

// near reports whether two floats differ by no more than the tolerance.
func near(want, got float32) bool {
	a, b := float64(want), float64(got)
	return a == b || a != a && b != b || math.Abs(a-b) <= tolerance*max(1, math.Abs(a))
}

// Close compares the vertices of two engines as far as a program writes them, and returns the number of values compared. A
// varying is equal if its bits are, or if it is a float and near.
func Close(outputs []graphics.Output, want, got []draw.Vertex) (n int, err error) {
	slot := func(b kind.IOBuiltin) int { return int(stageio.Slot(b, 0, 0)) }
	for i := range want {
		w, g := &want[i], &got[i]
		for _, o := range outputs {
			n++
			ok := true
			switch at := o.Slot - slot(kind.BuiltinClipDistance); {
			case o.Slot == slot(kind.BuiltinPosition):
				ok = near(w.Position[o.Component], g.Position[o.Component])
			case o.Slot == slot(kind.BuiltinPointSize):
				ok = near(w.PointSize, g.PointSize)
			case at >= 0 && at < draw.MaxDistances/4:
				ok = near(w.Clip[4*at+o.Component], g.Clip[4*at+o.Component])
			case o.Slot < len(w.Outputs) && o.Slot < len(g.Outputs):
				x, y := w.Outputs[o.Slot][o.Component], g.Outputs[o.Slot][o.Component]
				ok = x == y || near(math.Float32frombits(x), math.Float32frombits(y))
			case o.Slot < len(w.Outputs):
				ok = false
			}
			if !ok {
				return n, fmt.Errorf("vertex %d, component %d of slot %d: the program has %+v, the interpreter %+v", i, o.Component,
					o.Slot, *g, *w)
			}
		}
	}
	return n, nil
}
