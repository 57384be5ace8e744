// SPDX-License-Identifier: MIT

// Package lower turns machine IR into a form that the machine can execute, between selection and allocation.
// [Payloads] composes message payloads, [Legalize] moves immediates and regions to where they are allowed,
// [Messages] lowers logical messages to sends by the target's family in generated/message, [SplitSIMD32] and
// [SplitNarrow] split instructions to the widths that the machine supports, [Align16] serves machines with
// narrower three-source words, [Indirect] turns reads at computed register indices into reads through an address
// register, and [AlignSources] serves machines on which floats stay at their places in registers.
//
// [Scratch] generates spill code for the allocator, which is independent of it. The passes change how a value
// is computed, never the value. Packages opt and ra may rely on instructions being encodable afterwards.
// Capabilities of a platform are looked up in its record, never by its name.
//
// A message reaches 128 KiB of scratch memory by itself; beyond that it gets a copy of the thread's header with
// another base.
package lower
