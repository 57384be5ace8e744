// SPDX-License-Identifier: MIT

// Package texture is the reference implementation of images and samplers: the meaning of a texel's bytes in every
// format, and the results of sampling, by the formulas of the Vulkan specification ("Formats", "Image Operations"). It
// is plain arithmetic on bytes, independent of shaders, drivers and machines.
//
// Texels are contiguous: the samples of a texel first, then x, y, and z or the layers; the faces of a cube are layers.
// Filtering is exact up to the rounding of its result to 32 bits (weights have 64); a driver may use weights of as few
// as 8 bits (Vulkan's subTexelPrecisionBits, mipmapPrecisionBits), so comparisons need a tolerance.
//
// Limitations: no anisotropy (one sample is taken along the longer axis), no cubic filter, no compressed or
// multi-planar formats, no 64-bit floats. Cubes are always seamless: beyond an edge, texels of the next face are read;
// at a corner, where there is no fourth texel, the mean of the other three is used.
package texture
