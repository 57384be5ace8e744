// Package legal checks what remains of a shader at the stages of its way to the machine
// ([Check]): against the bans of generated/legal, such as "no derefs once memory is by
// offsets", and, at the last stage, against the opcodes and sizes that rows of
// instruction selection take.
//
// An [Error] tells what is missing in the target from what is a defect: it names the
// instruction and its size, the target, and what the target lacks. So what a target
// cannot do is refused in one place, by rows. Whether the IR is well formed is the
// business of package validate.
package legal
