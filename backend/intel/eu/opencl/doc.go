// Package opencl launches kernels of Intel's OpenCL compiler on the EU model: from a
// zebin file, arguments and a grid it makes a dispatch that is ready to run. It lays out
// arguments as described in the kernel's .ze_info and numbers buffers, images and samplers as
// its code expects. It demonstrates that the model runs code that this project did not generate;
// only tests use it.
//
// A [Machine] is what kernels were compiled for; its method New makes a dispatch from a
// kernel and its arguments, of type [Arg].
package opencl
