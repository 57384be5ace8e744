// SPDX-License-Identifier: MIT

// Package engine executes the dispatches and draws of scripts: [EU] compiles shaders and runs the code on the model of
// the execution units, optionally through a zebin; [Interp] runs the IR on the interpreter. Both implement runner.Drawer.
//
// It connects packages that must not depend on each other: neither scripts nor the model depend on the compiler, and the
// compiler depends on neither. Like the command, it is a user of package jacquard. The work of a launcher, such as
// laying out push constants by the ABI and numbering buffers, is done here.
package engine
