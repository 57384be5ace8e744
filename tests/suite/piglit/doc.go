// SPDX-License-Identifier: MIT

// Package piglit runs tests of piglit, Mesa's test suite for OpenGL: ".shader_test" files, each shaders and a list of
// commands that set uniforms by name, fill buffers and textures, dispatch or draw, and compare the results. The shaders
// are compiled for Vulkan, where glslang gathers loose uniforms in the block gl_DefaultUniformBlock and atomic counters
// in buffers.
//
// [Run] runs one file with a compute shader on an engine of AmberScripts, such as the interpreter; [RunDraws] one with
// a vertex and a fragment shader. An unsupported command results in an [Unsupported] error.
//
// # Compute
//
// Every test runs on the interpreter, with the IR as the reader leaves it, and on the model of the execution units at
// each width at which its shader compiles: there the test's own comparisons judge, and after every dispatch all memory
// must equal the memory of an interpreter that runs the IR as it reaches instruction selection. Of the 1,784 tests that
// compare anything, 1,752 pass on the interpreter and 1,751 on the model of tgl; exceptions.txt and model.txt list the
// others with the reasons.
//
// # Draws
//
// Tests of GLSL 1.30 or later that have these two stages only, draw and probe, run on the interpreter and on the model,
// vertices at 8 lanes and fragments at 8, 16 or 32 by turns; their probes judge. [Shaders] rewrites the features of
// their GLSL that Vulkan's lacks: the version, varying and attribute, gl_FragColor, gl_Vertex and the matrices. Tests
// of features without an equivalent in Vulkan are left out ([LeftOut]), and of 18,626 generated tests of 64-bit inputs
// of vertex shaders, which differ in little else, one in a hundred runs. Windows are made smaller where a test cannot
// tell ([RunDraws]). Of 5,796 tests 5,677 pass on the interpreter (97.9 %), and of the 3,672 of these that need no
// arithmetic on 64-bit floats 3,670 on the model of tgl: the other two ask that unpackHalf2x16 keeps denormals, which
// GLSL.std.450 leaves open. draws.txt and draws_model.txt list the tests that do not pass; tests that need arithmetic
// on 64-bit floats, which is not compiled, are not counted on the model.
//
// The files come from the corpus; none are committed. The parser of these files is used only by this suite.
package piglit
