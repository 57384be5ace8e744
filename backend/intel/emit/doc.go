// Package emit encodes machine IR with allocated registers as machine code.
// [Emitter.Code] lays out the blocks, resolves branch targets, and encodes each
// instruction with generated/isa. It emits full words only: nothing is compacted.
//
// It makes no decisions: an instruction that has no encoding is an error that names it,
// and a defect of an earlier pass. The stage is independent of the target, whose word
// layout is in generated/isa.
package emit
