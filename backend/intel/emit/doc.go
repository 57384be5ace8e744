// Package emit writes machine IR with allocated registers as machine code.
// [Emitter.Code] lays out the blocks, finds where branches go, and encodes each
// instruction by generated/isa. Words are full ones: nothing is compacted.
//
// It decides nothing: an instruction that has no encoding is an error that names it, and
// a defect of an earlier pass. The stage is independent of the target, whose layout of
// words generated/isa has.
package emit
