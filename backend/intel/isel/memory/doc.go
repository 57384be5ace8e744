// Package memory selects messages to buffers, shared memory and scratch memory, atomics, fences and barriers. An
// intrinsic and the row of its message enter ([Load], [Store], [Atomic]); logical messages leave, split as their data
// requires. It does not know images or stages, except that lanes of helper invocations have no effect.
package memory
