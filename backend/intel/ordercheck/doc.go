// Package ordercheck checks passes that change the order of instructions in blocks
// ([Check]), by replaying both orders rather than by constructing dependences: for each
// byte of a register, and each resource that instructions use implicitly, it tracks which
// instruction of the block wrote it last. Every instruction has to find the same there
// as before, wherever it reads or writes. Then it reads the same values, writes that
// overlap stay in order, and so does what memory requires.
//
// It shares no code with the scheduler.
package ordercheck
