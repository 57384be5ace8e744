// SPDX-License-Identifier: MIT

// Package amber parses AmberScript, the test format of the Vulkan ecosystem, and VkScript. It supports compute
// pipelines, and graphics pipelines of a vertex and a fragment shader.
//
// [Parse] turns the text of a script into a [runner.Script]: shaders, buffers, pipelines and the commands to run in
// order. The package depends on neither the compiler nor SPIR-V: a shader remains the source text or the words in the
// script.
//
// Unsupported parts of the language (tessellation and geometry shaders, ray tracing, OpenCL C, HLSL,
// advanced blending) are rejected by Parse with an error that names the command and its position.
//
// The language is described in docs/amber_script.md of github.com/google/amber.
package amber
