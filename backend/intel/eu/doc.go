// SPDX-License-Identifier: MIT

// Package eu is a model of the execution units of an Intel GPU: it runs encoded
// machine code of a target, workgroup by workgroup, without a GPU.
//
// It takes machine code and buffers and returns the buffers as the code left them,
// counts and a cycle estimate. Code that breaks a rule of the hardware (a
// register read before its scoreboard wait, a message whose descriptor does
// not fit its payload, a jump into the middle of an instruction) ends in a
// *Fault that names workgroup, thread, byte offset and instruction.
//
// The package is independent of the compiler in this project. It checks that
// compiler's output, and that of other compilers, against rules written
// from the hardware's documentation.
//
// # Order of execution
//
// Workgroups run one after another, x fastest. Inside a group the default
// schedule runs thread 0 until it reaches a barrier or its end, then thread 1,
// and so on; with Options.Slice set, threads take turns of that many
// instructions in an order drawn from Options.Seed. Either is deterministic.
// With Options.Fused neighboring threads run in pairs, as on fused execution units.
// Messages take effect when they are issued; the scoreboard rules determine when the program may rely on that.
//
// # Checks
//
// Always: operands inside the registers and regions that the hardware supports, branch targets, message
// descriptors against payload and response, alignment, mapped addresses, barriers that complete, lanes that
// wait forever, endless loops. Loads outside a surface return zero and stores there are dropped, as in
// hardware; both are counted. Options.Hazards selects the rules for scoreboards that programs maintain; HazardsOff
// also switches off the rules for programs on machines whose hardware maintains the scoreboard. Options.Undefined,
// Addresses and Races add checks, and Poison makes reads of undefined data visible.
//
// # Choices where the documentation is silent
//
// A conditional modifier tests the result as it is stored, after saturation.
// NaN results are 0x7FC00000. Transcendental functions are computed in float64
// and rounded once, which is more precise than hardware. mac rounds once, like
// mad. Function divide of package alu documents integer divisions by zero.
//
// # Images
//
// Typed messages, of data cache 1 or of the load/store unit, and the sampler compute with package texture. The model itself
// handles payloads, headers, the choice of the texel that a message addresses, and the results of typed messages by format.
// Programs must divide the coordinates of cubes by the one of largest magnitude; anything else is a fault. Derivatives are
// taken over a quad: lanes 4n to 4n+3 of the payload.
//
// # Vertex and fragment threads
//
// A dispatch with a [Stage] has single threads of that stage, with the dispatch mask and the vector mask that
// hardware would give them. URB messages, render-target writes and messages to the pixel interpolator follow
// the manual's sections. The launcher provides the rest of the pipeline, from the payload to the pixel. A
// thread has to end with the message that the pipeline waits for. A message that ends a fragment thread is sent
// even if no lane is enabled.
//
// # Missing features
//
// The following end in a fault of kind FaultUnsupported: buffers as bindless surfaces; typed writes of some
// components; reads of render targets; render-target writes with a header on machines that need none, of 16-bit floats, or at
// the coarse rate; an operation whose rounding is not documented (line); products of doublewords in accumulators, on machines
// that multiply all 32 bits of both; 64-bit operands in Align16, and indirect ones; URB messages of vertices other than
// interleaved writes; of the load/store unit, bindless buffers, blocks of two dimensions, bytes and words that are packed,
// atomics on 64-bit floats, and typed messages with 64-bit data or surface states; on Xe2, sampler messages with offsets as
// parameters.
//
// # Vectors
//
// In access mode Align16 each group of four lanes is a vector: the lanes read the four elements of a row through a
// swizzle, and the write mask leaves out lanes with their elements and flags (Haswell PRM vol. 7, "Align16 Access Mode"). A
// row starts where the region says: 4 elements after the previous one, or at the same element for all vectors. The predicate
// .x takes the flag of lane x of each vector for its four lanes. Vertex threads of eight lanes have two vertices, whose
// messages (SIMD4x2) carry a vector of each in a register, and end with an interleaved write to the URB.
//
// # Rounding
//
// The documents do not tell how dot products, lrp and pln round. Here a dot product and lrp round each product and each sum,
// in the order of the components, as code without these operations does; pln rounds each sum, as the two mad do that replace
// it on machines without pln.
package eu
