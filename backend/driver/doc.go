// SPDX-License-Identifier: MIT

// Package driver compiles entry points: it reads a source, runs the pipeline of passes for a target, and calls the back
// end for the SIMD widths that it chooses. Its input is a [Source] with [Options], whose names are resolved; its output
// is a [Program], with the machine code for each width and the ABI that describes how to run it. [Link] compiles the vertex and the
// fragment shader of a pipeline together.
//
// [Compile] takes three steps: core/spirv reads a module into the IR (Read), core/pass/pipeline lowers the shader to
// operations that the target has (ForTarget), and backend/intel compiles it to machine code, once for each width
// (Compiler.Compile). The package knows the order of these steps, and none of their contents. Package jacquard is its
// interface for users.
package driver
