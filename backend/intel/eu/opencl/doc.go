// SPDX-License-Identifier: MIT

// Package opencl launches kernels of Intel's OpenCL compiler on the EU model: from a zebin file, arguments and
// a grid it makes a dispatch that is ready to run. It lays out arguments as the kernel's .ze_info describes,
// and numbers buffers, images and samplers as the code expects. Its tests show that the model runs code that this
// project did not generate. Package engine launches this project's zebins with it in execution tests.
//
// A [Machine] is the target of compiled kernels. Its method New makes a dispatch from a kernel and its
// arguments, of type [Arg].
package opencl
