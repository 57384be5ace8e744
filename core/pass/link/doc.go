// Package link simplifies the interface between the vertex and the fragment shader of a pipeline.
// [Shaders] works on both after lower_stage_io, and handles each component of 32 bits of a
// location by itself:
//
//   - An output that the fragment shader does not read is not written. Without a fragment
//     shader, only the outputs of the fixed functions stay.
//   - An input that the vertex shader does not write is zero; the API leaves its value undefined.
//   - An output that is a constant, or a member of a uniform block or of the push constants
//     that the fragment shader uses too, is not passed on: the fragment shader has it itself.
//   - Of outputs with the same value that are interpolated in the same way, one stays.
//   - The rest is packed: first what is interpolated with perspective, then what is without, then
//     what is not interpolated at all; none shares a location with another kind.
//
// Inputs and outputs match by location and component, as the Vulkan specification has it
// ("Interface Matching"); names do not matter. Locations that are indexed, and those of 64-bit
// values, keep their neighbors and their components.
package link
