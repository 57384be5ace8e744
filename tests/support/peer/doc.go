// SPDX-License-Identifier: MIT

// Package peer runs another compiler, Mesa's Vulkan driver for Intel GPUs, which can compile without a GPU. The driver's
// machine code is compared with this project's. Running it also tests the model of the execution units independently of
// this project's compiler.
//
// The environment variable [Variable] is the command that runs it. [Compiler.Compile] appends the device, a program and
// its flags: "tgl vkpeer -n 1 -e ENTRY -d DIR FILE.spv". The command must write the driver's statistics as lines of
// JSON, its final IR and assembly into DIR, and the machine code into the folder that INTEL_SHADER_BIN_DUMP_PATH names.
// Without the variable there is no peer, and [Find] returns nil.
//
// A [Drawer] runs the driver's vertex and fragment programs on the model. It takes the locations of a program's inputs,
// outputs and descriptors from the final IR, and passes parameters as the driver does.
package peer
