// SPDX-License-Identifier: MIT

// Package whole tests shaders from source to result: AmberScripts on the interpreter,
// the model and lavapipe, machine code against iga64, instruction counts, round trips
// and damaged input of every format.
//
// Everything but the math unit is compared bit for bit: the interpreter, on the IR as it
// reaches selection and with the model's math functions, must produce the same bytes as
// the machine code, for every script and the renderer's stages, on every target.
// TestCounts compares the code itself with frozen counts and hashes
// (testdata/counts.txt).
package whole
