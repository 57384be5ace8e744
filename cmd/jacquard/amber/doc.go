// Package amber parses AmberScript, the test format of the Vulkan ecosystem, and executes the
// compute part of it.
//
// Parse turns the text of a script into a Script: shaders, buffers, pipelines and the commands to
// run in order. Script.Run executes the commands on an Engine, which runs one dispatch at a time:
// an interpreter, a model of the machine, a Vulkan driver. The package depends on neither the
// compiler nor SPIR-V: a shader remains the source text or the words in the script.
//
// Unsupported parts of the language (graphics and ray tracing pipelines, OpenCL C, HLSL) are
// rejected by Parse with an error that names the command and its position.
//
// The language is described in docs/amber_script.md of github.com/google/amber.
package amber
