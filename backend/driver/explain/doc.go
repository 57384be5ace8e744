// SPDX-License-Identifier: MIT

// Package explain relates machine code to the shader that it was compiled from. It takes a shader, its code with the
// facts that the back end records on request, and a [Log] of rewrite rules; it returns a [Line] for each instruction
// of the code, and the [Cost] of the code in registers, scratch memory and time. It changes neither the shader nor the
// code, and does not know how they were compiled.
package explain
