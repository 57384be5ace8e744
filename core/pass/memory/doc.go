// Package memory contains the passes that lower memory accesses through derefs to accesses that messages support.
// [ExplicitIO] turns paths into byte offsets. [LowerMemAccess] gives accesses the sizes of messages. [LowerNonUniform]
// and [LowerDivergentBuffers] insert loops around accesses whose descriptor is divergent. [ForwardAccesses] replaces
// loads of known values, [DeadStores] removes stores that are overwritten, and [MergeAccesses] merges accesses to
// neighbouring dwords. [LowerPushConstants] and [LowerAtomics] replace accesses that machines lack.
//
// The package is independent of descriptor formats and messages; the back end chooses those. Private variables are
// handled earlier, in package vars.
package memory
