// Package amber reads AmberScript, the test format of the Vulkan ecosystem, and
// executes the compute part of it.
//
// A script's text enters Parse; what leaves is a Script: shaders, buffers,
// pipelines and the commands to run in order. Script.Run executes the commands
// against an Engine, which runs one dispatch at a time on whatever there is: an
// interpreter, a model of the machine, a Vulkan driver. The package knows
// neither the compiler nor SPIR-V: a shader stays the source text or the words
// that the script gave.
//
// What the language has and this package has not (graphics and ray tracing
// pipelines, OpenCL C, HLSL) is refused by Parse with an error that names the
// command and its place.
//
// The language is described in docs/amber_script.md of github.com/google/amber.
package amber
