// Package zebin reads the compute binaries of Intel's offline compiler: an ELF
// file with the kernels' machine code and a description, .ze_info, of what
// each kernel expects to be started with.
//
// [Read] returns a [Module] of kernels. The package knows neither the compiler nor the
// model.
//
// Bytes go in; kernels, payload arguments, binding table indices and relocated
// code come out. Damaged files give an error. (Format: the zebin and zeinfo
// specifications of the intel-graphics-compiler project.)
package zebin
