// SPDX-License-Identifier: MIT

package explain

// Line describes the origin and the estimated cost of an instruction of the code.
type Line struct {
	Offset int // byte offset of the instruction in the code
	// IR is the instruction for which it was selected, in the text format, as it was at selection; empty if it belongs
	// to none, such as an instruction that loads the lane numbers.
	IR string
	// Row is the row of the selection tables that was chosen; empty if no row selected the instruction.
	Row string
	// Rule is the rewrite rule that created the instruction of the shader, or its original if it is a copy; empty if no
	// rule did.
	Rule string
	// File, Line and Column are the position in the source, if the module has it; otherwise Line is 0.
	File         string
	Line, Column int
	Registers    int // general registers with a value that it or a later instruction reads
	Wait         int // estimated cycles until its operands are available
	Issue        int // estimated cycles that it occupies the thread
	Times        int // estimated executions
	// Spilled is the index plus 1 of the element of Cost.Spilled for which the instruction was added; 0 if none.
	Spilled int
	Assumed bool // Times depends on an assumed trip count, see Stats.AssumedLoops
}

// Position is a place in the source of a shader. Line is 0 if it is unknown.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Cost accounts for the registers, the scratch memory and the time that code uses.
type Cost struct {
	Peak    Peak      `json:"peak"`
	Spilled []Spilled `json:"spilled"` // spilled values, in the order of spilling
	Arrays  []Array   `json:"arrays"`
	Loops   []Loop    `json:"loops"` // by their start, those around others first
	Remarks []Remark  `json:"remarks"`
}

// Origin is an instruction of the shader that machine code was selected for.
type Origin struct {
	// IR is the instruction in the text format, as it was at selection; empty if the code belongs to none.
	IR string `json:"ir"`
	Position
}

// Peak is the first instruction of the code with the most live registers before it.
type Peak struct {
	Origin
	Registers int    `json:"registers"`
	Live      []Live `json:"live"` // the contents, the largest first
}

// Live is a value that is live at an instruction.
type Live struct {
	Origin       // the first instruction in the order of the code that writes it
	Payload bool `json:"payload,omitempty"` // part of the thread payload, such as inputs and push constants
	// Registers is the number of general registers that hold it or a part of it. Values that are the same in all
	// lanes share registers, so that the sum can be more than Peak.Registers.
	Registers int `json:"registers"`
}

// The ways of spilling a value.
const (
	InScratch  = "scratch" // in scratch memory, loaded before instructions that read it
	Recomputed = "again"   // computed again before instructions that read it
	OneLane    = "lane"    // the same in all lanes, so that one lane of a register holds it
)

// Spilled is a value that was spilled: it did not stay in the registers it was computed into.
type Spilled struct {
	Origin        // the first instruction in the order of the code that writes it
	How    string `json:"how"` // InScratch, Recomputed or OneLane
	Bytes  int    `json:"bytes"`
	// Peak is the instruction in the value's live range with the most live registers when it was spilled; Live is the
	// number of those registers. Other values had already been spilled if the allocator needed several rounds.
	Peak   Origin `json:"peak"`
	Live   int    `json:"live"`
	Stores int    `json:"stores"` // messages that write it to scratch memory
	Fills  int    `json:"fills"`  // messages that read it
	Cycles int    `json:"cycles"` // estimated cycles of the instructions added for the spill; included in the code's total
}

// Array is a variable in scratch memory.
type Array struct {
	Name    string     `json:"name"`           // name in the module; empty if it has none
	Bytes   int        `json:"bytes_per_lane"` // bytes for each invocation
	Varying int        `json:"varying"`        // accesses with an index that is not constant
	Indexed []Position `json:"indexed"`        // positions of these accesses, each once
	Counted int        `json:"counted"`        // number of these that would be constant if Loops were fully unrolled
	Loops   []Position `json:"loops"`          // positions of the conditions that end the loops
}

// Loop is a loop of the machine code.
type Loop struct {
	Position       // position of the condition that ends it, or of its first instruction with a position
	Start     int  `json:"start"`     // offset in the code of its first instruction, in bytes
	End       int  `json:"end"`       // offset of the branch back to it
	Trips     int  `json:"trips"`     // its iterations, of Copies copies each; 0 if not known
	AtMost    int  `json:"at_most"`   // a bound of the iterations if they are not known, or 0 for none
	Assumed   int  `json:"assumed"`   // the iterations that the estimate assumes if they are not known
	Copies    int  `json:"copies"`    // number of copies of its source body that it consists of; 0 if not known
	Length    int  `json:"length"`    // instructions, including nested loops
	Cycles    int  `json:"cycles"`    // estimated cycles, including nested loops; included in the code's total
	Innermost bool `json:"innermost"` // there is no loop in it
}

// Remark records an action of a pass at a position in the source.
type Remark struct {
	Pass string `json:"pass"` // empty for instruction selection
	// Kind is unrolled (a loop became its N iterations), unrolled_partly (N copies form the body of a loop), peeled
	// (N iterations were copied before a loop), hoisted (N instructions moved before a loop), merged (N accesses to
	// memory became Times accesses) or pushed (N loads of uniform buffers are in registers when a thread starts).
	Kind string `json:"kind"`
	Position
	N     int `json:"n"`
	Times int `json:"times"` // number of times it happened at this place
}
