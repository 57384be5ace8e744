// Package texture is the reference for images and samplers: what the bytes of a
// texel stand for in every format, and what sampling gives, after the formulas
// of the Vulkan specification ("Formats", "Image Operations"). It is plain
// arithmetic on bytes: no shader, no driver, no machine is known here.
//
// Texels lie without gaps: the samples of a texel first, then x, y, and z or the
// layers; the faces of a cube are layers. Filtering is exact up to the rounding
// of its result to 32 bits (weights have 64); a driver may use weights of as few
// as 8 bits (Vulkan's subTexelPrecisionBits, mipmapPrecisionBits), so comparing
// needs a tolerance.
//
// Limits: no anisotropy (one sample is taken along the longer axis), no cubic
// filter, no compressed or multi-planar formats, no 64-bit floats. Cubes are
// always seamless: beyond an edge the texels of the next face are read, at a
// corner, where there is no fourth texel, the mean of the three others.
package texture
