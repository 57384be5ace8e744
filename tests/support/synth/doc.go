// SPDX-License-Identifier: MIT

// Package synth generates a draw for a vertex or fragment shader that comes without the rest of its pipeline. The
// other stage is a short shader that supplies every input with values that vary smoothly, or writes every output to
// an attachment. Buffers have numbers of moderate size, matrices are close to the identity, and images are smooth and
// periodic, and have all their levels, which differ only by Options.Rise. The same module always gets the same draw
// for a number.
//
// A [Draw] runs on every engine that takes a runner.DrawCall. For compute shaders, [Busy] searches for a [Dispatch]
// with much work.
package synth
