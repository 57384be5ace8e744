// SPDX-License-Identifier: MIT

package values

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/fold"
)

// context is the pass.Context with this package's methods.
type context struct {
	*pass.Context
	*state
}

// state is the scratch memory of the package.
type state struct {
	cse     []ir.Value
	foldSrc [4][fold.MaxComps]uint64
	foldDst [fold.MaxComps]uint64
	lanes   map[laneKey]ir.Value
	slots   map[uint32]ir.Value
}

func in(c *pass.Context) context { return context{c, pass.Scratch[state](c)} }
