// SPDX-License-Identifier: MIT

package plan

import "jacquard.example/core/spirv/structure"

// Plan is the plan of one function, a tree of actions: emit a block, take an edge, an if, a loop, a switch, a jump. The
// destination of a jump is given by the construct that the jump leaves. Before anything is emitted, it is thus known
// which selections must be loops with one iteration (since something breaks out of them from inside), which jumps have
// to cross such a loop (they set a flag and break, and the code after the loop tests the flag), and which continue
// constructs cannot be emitted where they are reached. The memory of a Plan is reused for other functions and modules.
type Plan struct {
	Acts      []Action
	Cons      []Construct
	Cases     []Case
	irregular bool // some construct is
	depth     int
	postorder []int32 // the reachable blocks of each function in postorder, numbered from its first block

	// the control flow of the function that is being checked
	branches   structure.Graph
	structural structure.Graph
	constructs structure.Constructs
	nodes      []structure.Block // nodes of the structural graph
	arena      structure.Arena
}

// Action is a step of the plan of a function.
type Action struct {
	Op       ActKind
	Tail     bool // exit, return: nothing follows, and control falls through to the destination
	Exit     ExitKind
	A, B     uint32
	Con      int32 // the construct that contains the action, or that the action emits
	Target   int32
	Mid, End uint32
}

// ActKind is the kind of an action.
type ActKind uint8

// The kinds of actions. The comments name the fields of [Action] in lower case.
const (
	ActBlock  ActKind = iota // emit block a
	ActEdge                  // store the phis of block b for the edge from block a
	ActIf                    // on the condition that ends block a: actions up to mid, else up to end; con: selection or -1
	ActLoop                  // construct con: body up to mid, continue construct up to end
	ActJoin                  // construct con, a selection: actions up to end
	ActSwitch                // on block a: b cases from row mid; actions up to end
	ActExit                  // leave or continue construct target
	ActReturn                // block a returns
	ActHalt                  // block a ends the invocation
)

// ExitKind is the target of an exit from a construct.
type ExitKind uint8

// The targets of exits.
const (
	ExitNone  ExitKind = iota
	exitMerge          // after a selection, a case or a loop
	ExitNext           // to a loop's next iteration
	ExitFall           // into another case
)

// Construct is a region of the program that control may leave only for a fixed set of destinations.
type Construct struct {
	Kind   ConKind
	Cont   ContMode
	Wrap   bool // a selection or case that must be a loop of one iteration
	Irreg  bool // the IR's control flow inside has paths that SPIR-V's does not have
	Parent int32
	Header uint32
	Merge  uint32
	Next   uint32 // loop: continue target; case: its own label
	Sw     int32  // case: row of the switch's action
	// the exits from inside that cross this construct's loop
	Crossed []Crossing
	// FlagVars has, by ExitKind, the ir.Var of the flag for exits that cross other loops, and at ExitNone the flag for
	// falling through into this case; 0 if there is none.
	FlagVars [4]uint32
	CaseIdx  int32 // case: row of cases
}

// ConKind is the kind of a construct.
type ConKind uint8

// The kinds of constructs.
const (
	conFunc ConKind = iota
	conSel
	conCase
	ConLoop
)

// ContMode is the place where the continue construct of a loop is emitted.
type ContMode uint8

// The places of continue constructs.
const (
	contNone   ContMode = iota // the header is the continue target, or nothing reaches it
	contInline                 // at the only edge to it
	contCopy                   // at each edge: one short block
	ContGuard                  // at the start of the body, except in the first iteration
)

// Crossing is an exit from construct Con that crosses a loop inside it.
type Crossing struct {
	Con  int32
	Exit ExitKind
}

// Case is a target of a switch.
type Case struct {
	Con        int32
	Label      uint32 // block
	Lo, Hi     uint32 // its actions
	IsDefault  bool
	FallsTo    int32 // 1 + the case that it falls through to, or 0
	FallenInto bool
}
