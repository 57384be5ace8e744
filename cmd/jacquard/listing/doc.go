// SPDX-License-Identifier: MIT

// Package listing writes machine code as assembly. Comments describe messages and, on request, the origin, the
// estimated cost, the offset and the bytes of an instruction. [Read] disassembles code, [Write] writes a listing in a
// [Style]. The assembler reads a listing back to the same code.
package listing
