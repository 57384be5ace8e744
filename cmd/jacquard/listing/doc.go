// Package listing writes machine code as assembly with comments: what messages ask for, and on request where an
// instruction comes from, what it is estimated to cost, its offset and its bytes. [Read] disassembles code, [Write]
// writes a listing in a [Style]. The assembler reads a listing back to the same code.
package listing
