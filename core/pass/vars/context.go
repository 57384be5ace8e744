// SPDX-License-Identifier: MIT

package vars

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// context is the pass.Context with this package's methods.
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

	// state of ConstantData
	tables     []table               // by variable
	tableAt    map[string]uint32     // variables, later offsets, by contents
	tableLoads []tableLoad           // at dynamic indices
	nearTables map[tablePlace]uint32 // constant parts of offsets
	trips      analysis.Trips
	filled     int // iterations executed to fill tables

	originals []original // found by ForwardReadOnly, by variable
}

func in(c *pass.Context) context { return context{c, pass.Scratch[state](c)} }

// private reports whether the shader has private variables.
func (c context) private() bool {
	for range c.S.Vars(pass.Promotable) {
		return true
	}
	return false
}

// plainVars marks the private variables that are only loaded and stored, through chains of members and elements. Passes
// may transform these.
func (c context) plainVars() []bool {
	s := c.S
	plain := reuse.Zeroed(c.Marks, s.NumVars())
	c.Marks = plain
	for x := range s.Vars(pass.Promotable) {
		plain[x] = true
	}
	c.eachInstr(func(v ir.Value) {
		if s.At(v).Kind != kind.Deref || !ir.ModeMayBe(s.Modes(v), pass.Promotable) {
			return
		}
		if x := s.DerefVar(v); x != 0 && plain[x] && c.oddUse(v) {
			plain[x] = false
		}
	})
	return plain
}

// plainAccess returns the variable and the chain of derefs through which v loads or stores part of a plain variable.
// The chain is nil if v does nothing of the kind or the chain is too long.
func (c context) plainAccess(v ir.Value, plain []bool, buf *[maxChain]ir.Value) (ir.Var, []ir.Value) {
	s := c.S
	if id := s.At(v).Intrinsic(); id != intrinsic.LoadDeref && id != intrinsic.StoreDeref {
		return 0, nil
	}
	d := s.Src(v, 0).Val
	if s.At(d).Kind != kind.Deref {
		return 0, nil
	}
	x := s.DerefVar(d)
	if x == 0 || !plain[x] {
		return 0, nil
	}
	return x, c.derefChain(d, buf)
}
