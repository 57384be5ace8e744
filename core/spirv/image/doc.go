// SPDX-License-Identifier: MIT

// Package image emits operations on images: [ImageInstr] handles sampling, gathering, fetches, storage images, sparse
// residency and queries; [TexelAtomic] handles atomics on texels. Each takes the instruction with its image operands
// and emits an intrinsic or a texture operation. A new image opcode is a case in this package.
package image
