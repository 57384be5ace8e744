// Package graphics launches vertex and fragment threads on the model of the execution units: it fills
// their payloads from a row of the ABI table and hands what their messages leave in the URB and
// in render targets to the fixed functions of a draw, an [interp.Fixed], as the interpreter
// does with what it computes. So one implementation of the fixed functions serves both. A [Program]
// says where its threads find things.
//
// A vertex thread has eight vertices. A fragment thread has quads of one primitive: two, four or
// eight of them.
package graphics
