// SPDX-License-Identifier: MIT

// Package accesses contains the passes that compare accesses at byte offsets with one another and change their sizes.
// [ForwardAccesses] replaces loads of known values, [DeadStores] removes stores that are overwritten, and
// [MergeAccesses], [MergeAddresses] and [MergeIndexed] merge accesses to neighboring dwords, for which [GatherLoads]
// brings loads from uniform buffers together. [LowerMemAccess] gives accesses the sizes of messages.
//
// The passes expect a shader whose accesses have offsets (package explicitio). Afterwards, it has fewer and larger
// accesses, or accesses that machines support. Package analysis decides which accesses may alias. The package knows neither variables
// nor the formats of descriptors and messages, which the back end chooses.
package accesses
