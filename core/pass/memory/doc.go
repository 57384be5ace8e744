// SPDX-License-Identifier: MIT

// Package memory contains the passes that replace accesses to memory that machines lack with code that they can run.
// [LowerNonUniform] and [LowerDivergentBuffers] insert loops around accesses whose descriptor is divergent.
// [LowerAtomics] turns atomics into loops around a compare-and-exchange, and [LowerSharedAtomics] those of 64 bits on
// workgroup memory into accesses under a lock. [ZeroShared] zeroes workgroup memory, [LowerPushConstants] selects among
// push constants, and [LowerImageFormats] converts texels from their raw bits.
//
// LowerNonUniform and LowerSharedAtomics run before package explicitio, on accesses through derefs; the others run after
// it, on accesses at offsets. Each leaves accesses of the kind that it finds. The package asks the target which operations it lacks, and
// does not depend on the formats of descriptors and messages, which the back end chooses.
package memory
