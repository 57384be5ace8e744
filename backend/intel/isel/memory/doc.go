// Package memory selects messages to buffers, shared memory and scratch memory, atomics, fences and barriers. An
// intrinsic and the row of its message enter; logical messages leave, split as their data requires. It does not know
// images.
package memory
