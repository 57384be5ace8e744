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
// With Options.Fused neighbouring threads run in pairs, as on fused execution units.
// Messages take effect when they are issued; the scoreboard rules say when
// the program may rely on that.
//
// # What is checked
//
// Always: operands inside the registers and regions that the hardware supports,
// branch targets, message descriptors against payload and response, alignment,
// mapped addresses, barriers that complete, lanes that wait forever, endless
// loops. Loads outside a surface return zero and stores there are dropped, as in
// hardware; both are counted. HazardRules chooses how the scoreboard that programs
// keep is judged, and switches off what is asked of programs where hardware keeps
// it; Options.Undefined, Races and Poison add further checks.
//
// # Choices where documentation is silent
//
// A conditional modifier tests the result as it is stored, after saturation.
// NaN results are 0x7FC00000. Transcendental functions are computed in float64
// and rounded once, which is more precise than hardware. mac rounds once, like
// mad. Divisions by zero: see divide.
//
// # Images
//
// Typed messages and the sampler compute with package texture; which texel a message means,
// payloads, headers and what the formats of typed messages return are the model's own. The
// coordinates of cubes must come divided by the largest, as drivers do; others are a fault.
// Derivatives are those of a quad, lanes 4n to 4n+3 as they lie in the payload.
//
// # Vertex and fragment threads
//
// A dispatch with a [Stage] has threads of that stage: single ones, with the dispatch mask and the
// vector mask that hardware gives them. Their URB messages, render-target writes and messages
// to the pixel interpolator are those of the manual's sections on each; what is around them, from the
// payload to the pixel, is the launcher's. A thread has to end with the message that the pipeline waits for. A
// message that ends a fragment thread is sent even if no lane is enabled.
//
// # What is missing
//
// Buffers as bindless surfaces, typed writes of some components, reads of render targets and writes to them with a
// header, of 16-bit floats or at the coarse rate end in a fault of kind FaultUnsupported.
// So do operations whose rounding is not documented (line, pln, lrp and
// the dot products of floats), and products of doublewords in accumulators. Words
// in access mode Align16 are read where they have three sources: each four lanes read
// the four elements of a vector by its swizzle, and the write mask leaves out lanes, with
// their elements and flags (SKL PRM vol. 7, "Align16 Access Mode").
package eu
