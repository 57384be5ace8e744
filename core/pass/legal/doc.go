// SPDX-License-Identifier: MIT

// Package legal checks that only permitted instructions remain in a shader at each stage of lowering ([Check]): it
// enforces the bans of generated/legal, such as "no derefs once memory is accessed by offsets", and, at the last stage,
// the opcodes and sizes that the rows of instruction selection accept.
//
// An [Error] distinguishes operations that the target does not support from defects: it names the instruction and its
// size, the target, and the feature that the target lacks. Unsupported operations are thus rejected in one place, by
// rows. Package validate checks that the IR is well formed.
package legal
