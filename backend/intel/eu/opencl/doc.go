// Package opencl launches kernels of Intel's OpenCL compiler on the EU model: a zebin
// file, arguments and a grid go in; a dispatch, ready to run, comes out. It lays out
// arguments as the kernel's .ze_info says and numbers buffers as its code expects. It
// shows that the model runs code that this project did not make; only tests use it.
//
// A [Machine] is what kernels were compiled for; its method New makes a dispatch of a kernel
// and its arguments, of type [Arg].
package opencl
