// SPDX-License-Identifier: MIT

// Package zebin reads and writes the compute binaries that Intel's runtimes load: an ELF file
// with the kernels' machine code and a description, .ze_info, of the state in which each
// kernel expects to be started.
//
// [Read] takes the bytes of a file and returns a [Module] of kernels, with payload
// arguments, binding table indices and relocated code. It returns an error for damaged
// files. [Write] returns a file of one kernel. The package is independent of the compiler
// and the model. (Format: the zebin and zeinfo specifications of the
// intel-graphics-compiler project.)
package zebin
