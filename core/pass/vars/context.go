package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
)

// context is the receiver of the passes of this package.
type context struct {
	*pass.Context
	*state
}

// state is the scratch memory of the package.
type state struct {
	ssa ssaState

	// of CopyPropVars and DeadWriteVars
	known    []knownMemory
	frame    int
	later    overwritten
	readVars []bool
	steps    []step // by deref; valid if its turn is the current one
	turn     uint32

	// of ForwardCopies
	copies   []ir.Value
	copyUses []copyUse
	stores   []copyStore

	parts map[splitPart]ir.Var // the variables that SplitVars created

	// of ConstantData
	tables     []table               // by variable
	tableAt    map[string]uint32     // variables, later offsets, by contents
	tableLoads []tableLoad           // at dynamic indices
	nearTables map[tablePlace]uint32 // constant parts of offsets

	originals []original // of ForwardReadOnly, by variable
}

func in(c *pass.Context) context { return context{c, pass.Scratch[state](c)} }
