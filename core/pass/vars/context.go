package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
)

// context is what the passes of this package work on.
type context struct {
	*pass.Context
	*state
}

// state is the scratch memory of the package.
type state struct {
	ssa ssaState

	// of copy propagation and dead writes
	known    []knownMemory
	frame    int
	later    overwritten
	readVars []bool
	steps    []step // by deref, valid if of this turn
	turn     uint32

	// of copies
	copies   []ir.Value
	copyUses []copyUse
	stores   []copyStore

	parts map[splitPart]ir.Var // what SplitVars made of variables
}

func in(c *pass.Context) context { return context{c, pass.Scratch[state](c)} }
