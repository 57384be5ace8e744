// Package tools translates shader source to SPIR-V with the Khronos tools, which are not part of
// Jacquard: glslangValidator for GLSL, spirv-as for assembly, spirv-opt if a script requests
// passes. They are searched for in PATH; if one is not installed, the error is a [MissingError]
// that names its Debian package.
//
// The input is a [Source] with its position in a file; the output is a module, or an error with a
// position in that file. If a tool reports several errors, they are joined. A [Cache] keeps
// modules by source, so that a script that is run repeatedly starts the tools only once.
package tools
