// Package piglit runs the compute tests of piglit, Mesa's test suite for
// OpenGL: ".shader_test" files, each a shader and a list of commands that set
// uniforms by name, fill buffers and textures, dispatch, and compare the
// results. The shader is compiled for Vulkan, where glslang gathers loose
// uniforms in the block gl_DefaultUniformBlock and atomic counters in buffers.
//
// [Run] runs one file on an engine of AmberScripts, such as the interpreter; an
// unsupported command results in an [Unsupported] error.
//
// Every test runs on the interpreter, with the IR as the reader leaves it, and on the
// model of the execution units at each width at which its shader compiles: there the
// test's own comparisons judge, and after every dispatch all memory must be what the
// interpreter leaves that runs the IR as it reaches instruction selection. Of the 1,784
// tests that compare anything, 1,752 pass on the interpreter and 1,751 on the model of
// tgl; exceptions.txt and model.txt list the others with the reasons. The parser of
// these files is used only by this suite.
//
// The files come from the corpus; none are committed.
package piglit
