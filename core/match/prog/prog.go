// SPDX-License-Identifier: MIT

// Package prog is the instruction set of the programs into which rewrite rules are compiled. The engine (core/match)
// runs them; the generator writes them.
//
// A program runs on the instruction that a rule may match, the root. It has registers, each of which contains an
// operand (an ir.Src); register 0 is the whole root. The first part checks the pattern. If a check fails, the program
// backtracks to the latest pair of commuting operands whose other order was not tried (see Order), or ends. After the
// last check the program builds the replacement; Done ends it.
//
// An instruction is a 64-bit word: the code, three bytes a, b and c, and 32 bits x. A word described as "sized" has
// a size of c bits or, if c is BySource, the size of the value in register b.
package prog

// Word is an instruction.
type Word uint64

// Bytes is the size of a word in a file, the low byte first.
const Bytes = 8

// Make assembles an instruction.
func Make(code Code, a, b, c uint8, x uint32) Word {
	return Word(code) | Word(a)<<8 | Word(b)<<16 | Word(c)<<24 | Word(x)<<32
}

// Code returns the code of the instruction.
func (w Word) Code() Code { return min(Code(w), ALU) }

// A returns the first byte, usually the destination register.
func (w Word) A() uint8 { return uint8(w >> 8) }

// B returns the second byte.
func (w Word) B() uint8 { return uint8(w >> 16) }

// C returns the third byte.
func (w Word) C() uint8 { return uint8(w >> 24) }

// X returns the upper half.
func (w Word) X() uint32 { return uint32(w >> 32) }

// Number returns the upper half, sign-extended.
func (w Word) Number() uint64 { return uint64(int64(w) >> 32) }

// ALU returns the opcode and the number of components of an ALU instruction; see SameComps.
func (w Word) ALU() (op uint16, comps uint8) {
	return uint16(w >> 16), uint8(Code(w) - ALU)
}

// At returns the word at index i of a program's text.
func At(text string, i uint32) Word {
	s := text[uint64(i)*Bytes:][:Bytes]
	return Word(s[0]) | Word(s[1])<<8 | Word(s[2])<<16 | Word(s[3])<<24 |
		Word(s[4])<<32 | Word(s[5])<<40 | Word(s[6])<<48 | Word(s[7])<<56
}

// Append appends the word to a program's text.
func (w Word) Append(text []byte) []byte {
	for i := range Bytes {
		text = append(text, byte(w>>(8*i)))
	}
	return text
}

const (
	// MaxRegs is the number of registers.
	MaxRegs = 256
	// MaxPairs is the maximum number of commuting pairs in a pattern.
	MaxPairs = 8
	// MaxStack is the maximum depth of a condition's stack.
	MaxStack = 64
	// MaxMayBe is the number of values that MayBe can set.
	MaxMayBe = 16
	// Swapped, in the number of an operand, selects the other of the first two operands if the latest pair is in its
	// second order.
	Swapped = 1 << 7
	// Fixed, in the number of an operand, means that the opcode reads a fixed number of its components, independent of
	// the result's.
	Fixed = 1 << 6
	// BySource in place of a size means the size of a register.
	BySource = 0xff
	// SameComps in place of a number of components means the number of the root.
	SameComps = 0
	// MaxOps is the number of opcodes that ALU can encode.
	MaxOps = 1 << 16
)

// Code is the operation of an instruction.
type Code uint8

// The instructions. "Operand c of b" is an operand of the instruction that register b reads, seen through register b;
// an instruction with it puts it into register a. A wide number is in the set's literals, at index x.
const (
	Order   Code = iota // the rest runs with the operands of the latest instruction in their order, then swapped
	Load                // operand c of b
	Op                  // operand c of b; it must be an instruction with opcode x
	Int                 // operand c of b; it must be the integer x
	IntWide             // the same with a wide number
	// operand c of b; it must be the float whose 64-bit form is wide number x; number x+1 has its 32-bit form and, above
	// that, its 16-bit form
	Float
	Const   // operand c of b; it must be a constant
	Again   // operand c of b; it must be the same as register x
	Same    // registers a and b must be the same
	Size    // the size of the value in register a must be in the set x
	Reads   // register a must read the components x
	Whole   // register a becomes all components of the value in register b
	Is      // register a must have predicate x
	Allows  // the relaxations allowed by register a's instruction restrict the allowed set
	GivesUp // all relaxations in x must be allowed
	// the condition that follows must hold for every component of register b, or for one if c is 0; x words of it are MayBe
	Where
	MayBe     // in a condition: number a becomes the mask of bits of register b that may be ones
	Push      // in a condition: the number x, sized
	PushWide  // the same with a wide number
	PushComp  // in a condition: the component of the constant that register b reads
	PushMayBe // in a condition: number a
	Compute   // in a condition: opcode x on the topmost numbers, sized
	Holds     // ends a condition: the remaining number must not be 0
	Begin     // the replacement begins; it is inserted before the root
	BeginAt   // like Begin, but inserted after the instruction that register a reads
	Lit       // register a becomes the constant x, sized
	LitWide   // the same with a wide number
	LitFloat  // the same with a float, as in Float
	Swizzle   // register a becomes c components of register b, selected by x
	Done      // register a replaces the root
	// register a becomes the instruction with the opcode in b and c; its operands are the bytes of x. Larger codes are
	// ALU too: the difference is the number of components.
	ALU
)

var names = [...]string{
	Order:     "order",
	Load:      "load",
	Op:        "op",
	Int:       "int",
	IntWide:   "int_wide",
	Float:     "float",
	Const:     "const",
	Again:     "again",
	Same:      "same",
	Size:      "size",
	Reads:     "reads",
	Whole:     "whole",
	Is:        "is",
	Allows:    "allows",
	GivesUp:   "gives_up",
	Where:     "where",
	MayBe:     "may_be",
	Push:      "push",
	PushWide:  "push_wide",
	PushComp:  "push_comp",
	PushMayBe: "push_may_be",
	Compute:   "compute",
	Holds:     "holds",
	Begin:     "begin",
	BeginAt:   "begin_at",
	Lit:       "lit",
	LitWide:   "lit_wide",
	LitFloat:  "lit_float",
	Swizzle:   "swizzle",
	ALU:       "alu",
	Done:      "done",
}

// String returns the name of the instruction.
func (c Code) String() string {
	if int(c) < len(names) {
		return names[c]
	}
	return "unknown"
}
