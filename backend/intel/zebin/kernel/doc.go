// Package kernel describes a compiled program as the kernel of a zebin: it assigns the arguments that a runtime sets to
// the entries of the binding table, the samplers and the push constants that the code reads. The ABI of a program enters,
// the contents of .ze_info leave ([Write]); package zebin encodes them. The package does not know how the program was compiled.
package kernel
