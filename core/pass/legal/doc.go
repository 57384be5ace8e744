// Package legal checks which instructions remain in a shader at each stage of lowering
// ([Check]): against the bans of generated/legal, such as "no derefs once memory is
// accessed by offsets", and, at the last stage, against the opcodes and sizes that the
// rows of instruction selection accept.
//
// An [Error] distinguishes what the target does not support from a defect: it names the
// instruction and its size, the target, and what the target lacks. So unsupported
// operations are rejected in one place, by rows. Whether the IR is well formed is checked
// by package validate.
package legal
