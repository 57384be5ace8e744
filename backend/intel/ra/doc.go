// Package ra gives virtual registers their place among the GRFs ([Allocator.Allocate]).
//
// It is a linear scan over intervals, not graph colouring: allocation is a tenth of the
// time of a compile. Lives are intervals over the linear order of the code, which covers
// the physical flow of control: what is live on one side of an if is kept through the
// other side, what is defined in a loop and read after it is kept through the whole
// loop. So a write without mask never reaches a register that some inactive lane still
// needs.
//
// When there are not enough registers several are spilled each round: constants are loaded
// again, what one operation computes from registers that still hold the same is computed
// again where it is read, uniform loads keep one lane, flags go to general registers, and
// all else goes to scratch memory, by [SpillCode] that package lower brings. Registers and
// their number are a row of the platform ([Machine]); only the size of one, the same on
// all, is a constant (isa.GRFBytes). Package allocheck checks what comes out and shares no
// code with it.
package ra
