package module

import (
	"jacquard.example/core/spirv/structure"
)

// control is the control flow of the function that is being checked.
type control struct {
	Branches   structure.Graph
	Structural structure.Graph
	Constructs structure.Constructs
	Nodes      []structure.Block // of the structural graph
}

// A function is emitted in two steps. First, the plan walks its blocks along the merge instructions and turns them into
// a tree of actions: emit a block, take an edge, an if, a loop, a switch, a jump. The plan identifies the destination
// of a jump by the construct that the jump leaves. Before anything is emitted, it is thus known which selections must
// be loops with one iteration (since something breaks out of them from inside), which jumps have to cross such a loop
// (they set a flag and break, and the code after the loop tests the flag), and which continue constructs cannot be
// emitted where they are reached.

// flow is the plan of one function.
type flow struct {
	Acts      []Action
	Cons      []Construct
	Cases     []CaseRec
	Own       Freedom // of the instruction being read
	Irreg     bool    // whether some construct is irregular
	Depth     int
	stack     []uint32
	Arena     structure.Arena
	Postorder []int32 // the reachable blocks of each function in postorder, numbered from its first block
}

// ActKind is the kind of an action.
type ActKind uint8

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

// ExitKind is the target of an exit from constructs.
type ExitKind uint8

// ConKind is the kind of a construct.
type ConKind uint8

// ContMode is the place where the continue construct of a loop is emitted.
type ContMode uint8

// Construct is a region of the program with a fixed set of destinations that control may leave it for.
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
	Crossed  []Crossing
	FlagVars [4]uint32 // by exitKind: ir.Var of the flag for exits that cross other loops; 0: none
	CaseIdx  int32     // case: row of cases
}

// Crossing is an edge that leaves constructs.
type Crossing struct {
	Con  int32
	Exit ExitKind
}

// CaseRec is a target of a switch.
type CaseRec struct {
	Con        int32
	Label      uint32 // block
	Lo, Hi     uint32 // its actions
	IsDefault  bool
	FallsTo    int32 // 1 + the case that it falls through to
	FallenInto bool
}
