// Package validate checks that machine IR is well formed: operands and regions of instructions, payloads of messages,
// the nesting of ifs and loops, definitions of registers that are written once, and the order of memory accesses. A
// function enters; [Func] returns an error that names the instruction, also after each pass with --verify, and [Code]
// checks the parts of text that was read back. It changes nothing.
package validate
