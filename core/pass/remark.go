// SPDX-License-Identifier: MIT

package pass

import "jacquard.example/core/ir"

// Remark records an action of a pass at a position in the source.
type Remark struct {
	Pass string
	Did  Did
	Loc  ir.Loc
	N    int    // the N in the description of Did
	Var  ir.Var // InScratch, IndexedIn, CountedIn: the variable
}

// Did is the kind of action that a remark reports.
type Did uint8

// The kinds of remarks.
const (
	Unrolled  Did = iota + 1 // a loop became its N iterations
	Repeats                  // the body of a loop became N copies of itself
	Peeled                   // N iterations were copied before a loop
	Hoisted                  // N instructions of a loop moved before it
	Merged                   // N accesses to memory became one
	InScratch                // a variable of N bytes for each invocation is in scratch memory
	IndexedIn                // an access to a variable in scratch memory has indices that are not constant; N remarks CountedIn follow
	CountedIn                // one of the loops whose counters determine these indices
	numRemarks
)

var didNames = [numRemarks]string{
	Unrolled: "unrolled", Repeats: "unrolled_partly", Peeled: "peeled", Hoisted: "hoisted", Merged: "merged",
	InScratch: "in_scratch", IndexedIn: "indexed", CountedIn: "counted",
}

func (d Did) String() string { return didNames[d] }

// Remark records an action of the running pass if Remarks is set.
func (c *Context) Remark(did Did, at ir.Loc, n int) { c.remark(Remark{Did: did, Loc: at, N: n}) }

// RemarkVar is like Remark, about a variable.
func (c *Context) RemarkVar(did Did, x ir.Var, at ir.Loc, n int) {
	c.remark(Remark{Did: did, Loc: at, N: n, Var: x})
}

func (c *Context) remark(r Remark) {
	if c.Remarks == nil {
		return
	}
	if c.running != nil {
		r.Pass = c.running.Name
	}
	*c.Remarks = append(*c.Remarks, r)
}
