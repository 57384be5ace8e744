// SPDX-License-Identifier: MIT

// Package atomics is the part of the generator that checks the rows of atomics (defs/ir/atomics.toml)
// and generates code from them ([Generate]): functions that compute the new value for the
// interpreter (generated/fold), builders of the same computation for passes (generated/build),
// and the mapping between atomics and intrinsics on texels (generated/atomic). Package message
// generates the codes of messages.
package atomics
