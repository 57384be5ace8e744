// SPDX-License-Identifier: MIT

package structure

// Block is a block of a function. Blocks are numbered from the function's first block.
type Block struct {
	Label uint32 // for messages
	To    uint32 // the merge block of its merge instruction
	Next  uint32 // the continue target, with LoopMerge
	Merge Merge
	End   End
}

// Merge is the kind of merge instruction that a block has.
type Merge uint8

const (
	NoMerge Merge = iota
	SelectionMerge
	LoopMerge
)

// End is the kind of instruction that ends a block.
type End uint8

const (
	OtherEnd End = iota
	Conditional
	Switch
)

// Fault is a violation of the rules of structured control flow.
type Fault struct {
	Block uint32 // where it is
	Merge bool   // in the block's merge instruction, not in the instruction that ends it
	Text  string
}
