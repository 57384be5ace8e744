// Package eu is a model of the execution units of an Intel Gen12.1 ("tgl")
// GPU: it runs encoded machine code, workgroup by workgroup, without a GPU.
//
// Machine code and buffers go in; the buffers as the code left them, counts
// and a cycle estimate come out. Code that breaks a rule of the hardware (a
// register read before its scoreboard wait, a message whose descriptor does
// not fit its payload, a jump into the middle of an instruction) ends in a
// *Fault that names workgroup, thread, byte offset and instruction.
//
// The package knows nothing of the compiler in this project. It judges that
// compiler's output, and other compilers' output as well, by rules written
// from the hardware's documentation.
//
// # Order of execution
//
// Workgroups run one after another, x fastest. Inside a group the default
// schedule runs thread 0 until it reaches a barrier or its end, then thread 1,
// and so on; with Options.Slice set, threads take turns of that many
// instructions in an order drawn from Options.Seed. Either is deterministic.
// Messages take effect when they are issued; the scoreboard rules say when
// the program may rely on that.
package eu
