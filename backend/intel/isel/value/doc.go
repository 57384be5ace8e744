// SPDX-License-Identifier: MIT

// Package value has the state of a selection, [Context], and gives instructions of the shader their operands: registers,
// flags, immediates and the parts of the payload. A [Layout] places the payload. The package emits the arithmetic that
// rows of generated/intel/select cannot express. A helper that selection of more than one kind of instruction needs is
// a method of Context. The package emits no messages; the other packages under isel do, with operands from here.
package value
