// SPDX-License-Identifier: MIT

// Package memory selects messages to buffers, shared memory and scratch memory, atomics, fences and barriers. [Load],
// [Store] and [Atomic] translate an intrinsic, given the row of its message, into logical messages, split as their data
// requires. The package does not know images or stages, except that lanes of helper invocations have no effect.
package memory
