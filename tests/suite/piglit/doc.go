// Package piglit runs the compute tests of piglit, Mesa's test suite for
// OpenGL: ".shader_test" files, each a shader and a list of commands that set
// uniforms by name, fill buffers and textures, dispatch, and compare the
// results. The shader is compiled for Vulkan, where glslang gathers loose
// uniforms in the block gl_DefaultUniformBlock and atomic counters in buffers.
//
// [Run] runs one file on the interpreter; an unsupported command results in an
// [Unsupported] error. The parser of these files is used only by this suite.
//
// The files come from the corpus; none are committed.
package piglit
