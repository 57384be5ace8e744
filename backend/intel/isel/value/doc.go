// Package value has the state of a selection, [Context], and gives instructions of the shader their operands: registers,
// flags, immediates and the parts of the payload. A [Layout] places the payload. The package emits arithmetic that
// selection rows call. It does not know messages; the other packages under isel emit these with it.
package value
