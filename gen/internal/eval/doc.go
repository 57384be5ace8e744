// Package eval is the small typed language in which the tables state what an
// opcode means. It has Go's expression syntax; its types and its meaning are
// its own, and every expression is total.
//
//	a << (b & (bits-1))                   an expression
//	o := offset & 31                      names for parts, then
//	(value >> o) & ((1 << count) - 1)     an expression
//
// A type is int, uint, float, bool or bits of a width. Nothing is converted
// silently; a literal takes the type that its place needs. An expression is
// checked at every execution size by itself (bits is that size), so that all
// types are concrete. Integers wrap; a shift by the width or more gives 0, or
// the sign; division is total as package num says. Floats round once for each
// operation. A source that is a vector is indexed (a[2], a.x); sum(i, a[i]*b[i]),
// all(i, …) and any(i, …) run over its components, and vec(…) makes the result
// one.
//
// [Compile] gives a [Func], which can be run on bit patterns ([Func.Run]),
// written as Go ([Func.Go]) and written as SMT-LIB terms ([Func.SMT]).
package eval
