// Package lower makes of machine IR what the machine can run, between selection and
// allocation: [Payloads] composes what messages are given, [Legalize] puts immediates and
// regions where they may stand, [Messages] makes sends of logical messages by the rows of
// defs/intel/message, [SplitSIMD32] and [SplitNarrow] cut instructions to the widths that
// the machine has, [Align16] serves machines whose words of three sources are narrower, and
// [Indirect] turns reads at computed places into reads through an address register.
//
// [Scratch] is the code of spills, which the allocator asks for and does not know.
// Passes here change how something is computed, never what; packages opt and ra may rely
// on an instruction being encodable after them. What a platform lacks is asked of its
// record, not by its name.
//
// A message reaches 128 KiB of scratch memory by itself; beyond that it gets a copy of
// the thread's header whose base is moved.
package lower
