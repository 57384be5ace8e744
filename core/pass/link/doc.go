// SPDX-License-Identifier: MIT

// Package link simplifies the interface between the vertex and the fragment shader of a pipeline. [Shaders] processes
// both after lower_stage_io, and handles each 32-bit component of a location separately:
//
//   - An output that the fragment shader does not read is not written. Without a fragment
//     shader, only the outputs for fixed-function hardware stay.
//   - An input that the vertex shader does not write is zero; the API leaves its value undefined.
//   - An output that is constant, or a member of a uniform block or of the push constants
//     that the fragment shader uses too, is not passed: the fragment shader computes it itself.
//   - Of outputs with the same value and the same interpolation, one stays.
//   - The rest is packed: first components interpolated with perspective, then without, then
//     flat components; no location has components of two kinds.
//
// Inputs and outputs match by location and component, as the Vulkan specification requires ("Interface Matching");
// names do not matter. Locations that are indexed, and locations of 64-bit values, keep their neighbors and their
// components.
package link
