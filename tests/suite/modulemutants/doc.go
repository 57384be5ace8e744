// Package modulemutants changes SPIR-V modules in ways that a damaged file does not:
// every mutant is a sequence of whole instructions, so that it reaches the
// parts of a reader behind the decoder.
package modulemutants
