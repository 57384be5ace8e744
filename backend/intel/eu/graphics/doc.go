// SPDX-License-Identifier: MIT

// Package graphics launches vertex and fragment threads on the model of the execution units. It fills their
// payloads from a row of the ABI table. It passes the values that their messages leave in the URB and in render
// targets to the fixed functions of a draw, an [interp.Fixed]. The interpreter uses the same fixed functions. A
// [Program] describes the interface of its threads.
//
// A vertex thread has eight vertices, 16 in registers of 64 bytes, or two with a lane for each component
// ([abi.ABI.Vertices]). A fragment thread has quads of one primitive: two, four or eight of them.
package graphics
