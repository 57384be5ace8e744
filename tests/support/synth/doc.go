// Package synth generates a draw for a vertex or fragment shader that comes without the rest of its
// pipeline. The other stage is a short shader that feeds every input with values that vary smoothly, or
// writes every output to an attachment; buffers have numbers of moderate size, matrices are close to the
// identity, images are smooth, periodic and have all their levels, which differ only by Options.Rise. The same module
// always gets the same draw for a number.
//
// A [Draw] runs on every engine that takes an amber.DrawCall.
package synth
