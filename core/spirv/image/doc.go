// Package image emits operations on images: [ImageInstr] handles sampling, gathering, fetches, storage images, sparse
// residency and queries; [TexelAtomic] handles atomics on texels. The instruction with its image operands enters, an
// intrinsic or a texture operation leaves. A new image opcode is a case in this package.
package image
