// Package stage selects what only vertex and fragment shaders have: inputs, interpolation, sample positions, discarded
// pixels and helper invocations, and the messages that end a thread with its outputs.
package stage
