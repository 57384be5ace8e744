// SPDX-License-Identifier: MIT

// Package kernel describes a compiled program as the kernel of a zebin: for each binding table
// entry, sampler and push constant that the code reads, it declares the argument from which a runtime fills it. [Write]
// derives .ze_info from the program's ABI and encodes the zebin with package zebin. The package does not know how the
// program was compiled.
package kernel
