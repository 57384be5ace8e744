// SPDX-License-Identifier: MIT

// Package validate checks that machine IR is well formed: operands and regions of instructions, payloads of messages,
// the nesting of ifs and loops, definitions of registers that are written once, and the order of memory accesses.
// [Func] checks a function and returns an error that names the instruction; with --verify it runs after each pass. [Code]
// checks the parts of text that was read back. The package changes nothing.
package validate
