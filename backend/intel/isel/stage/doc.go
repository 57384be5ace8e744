// SPDX-License-Identifier: MIT

// Package stage selects instructions that only vertex and fragment shaders have: inputs and interpolation
// ([Interpolate]), sample positions, discarded pixels and helper invocations ([Kill], [Demote]), and the messages that
// end a thread with its outputs. It takes the slots of a [value.Interface], and does not know how stages are linked.
package stage
