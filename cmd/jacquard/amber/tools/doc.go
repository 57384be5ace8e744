// Package tools turns shader source into SPIR-V with the tools of Khronos, which are no
// part of Jacquard: glslangValidator for GLSL, spirv-as for assembly, spirv-opt where a
// script asks for passes. They are looked for in PATH; one that is not installed is a
// [MissingError] that names its package.
//
// A [Source] with a place in a file enters; a module's bytes, or an error with a place
// in the same file, leaves. A [Cache] keeps modules by their source, so that a script
// that is run often starts the tools once.
package tools
