// SPDX-License-Identifier: MIT

// Package emit encodes machine IR with allocated registers as machine code.
// [Emitter.Code] lays out the blocks, resolves branch targets, and encodes each
// instruction with generated/isa. It emits full words only: nothing is compacted.
//
// It makes no decisions: an instruction without an encoding is reported as an error, and is a defect of an
// earlier pass. The package is independent of the target, whose word layout is in generated/isa.
package emit
