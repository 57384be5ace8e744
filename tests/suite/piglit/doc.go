// Package piglit runs the compute tests of piglit, Mesa's test suite for
// OpenGL: ".shader_test" files, each a shader and a list of commands that set
// uniforms by name, fill buffers and textures, dispatch, and compare what is
// there then. The shader is compiled for Vulkan, where glslang gathers loose
// uniforms in the block gl_DefaultUniformBlock and atomic counters in buffers.
//
// [Run] runs one file on the interpreter; what it does not support is an [Unsupported].
// The reader of these files serves nothing but the suite.
//
// The files come from the corpus; nothing of them is committed.
package piglit
