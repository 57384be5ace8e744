// Package memory contains the passes that lower accesses through derefs to what messages
// support: [ExplicitIO] turns paths into byte offsets, [LowerMemAccess] gives accesses
// the sizes of messages, [LowerNonUniform] and [LowerDivergentBuffers] insert loops
// around accesses whose descriptor is divergent, [ForwardAccesses] replaces loads of what is
// known, [DeadStores] removes stores that are overwritten, [MergeAccesses] merges accesses to
// neighbouring dwords, and [LowerPushConstants] and
// [LowerAtomics] replace what machines lack.
//
// It is independent of descriptor formats and messages; those are chosen in the back end.
// Private variables are handled earlier, in package vars.
package memory
