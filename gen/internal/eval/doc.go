// SPDX-License-Identifier: MIT

// Package eval is the small typed language of the tables' opcode semantics. It has Go's expression syntax but its own
// types and semantics, and every expression is total.
//
//	a << (b & (bits-1))                   an expression
//	o := offset & 31                      names for parts, then
//	(value >> o) & ((1 << count) - 1)     an expression
//
// A type is int, uint, float, bool or bits of a width. There are no implicit conversions; a literal takes the type that
// its context requires. An expression is checked separately at every execution size (bits is that size), so that all
// types are concrete. Integers wrap; a shift by the width or more yields 0, or the sign; division is total as defined
// by package num. Each operation on floats rounds once. A source that is a vector is indexed (a[2], a.x); sum(i,
// a[i]*b[i]), all(i, …) and any(i, …) run over its components, and vec(…) makes the result a vector.
//
// [Compile] returns a [Func], which can be run on bit patterns ([Func.Run]), written as Go ([Func.Go]) and written as
// SMT-LIB terms ([Func.SMT]).
package eval
