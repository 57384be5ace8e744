// Package eval is the small typed language in which the tables state what an
// opcode means.
package eval

// Func is a checked meaning at one execution size.
type Func struct{}
