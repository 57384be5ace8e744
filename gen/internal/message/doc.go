// SPDX-License-Identifier: MIT

// Package message is the part of the generator that turns defs/intel/message, the logical messages and the rows that
// implement them in families of messages, into generated/message ([Generate]). Logical messages are the compiler's
// machine-independent requests to memory and fixed functions; a family, which several machines may share or inherit,
// defines the descriptor, header and payloads of each.
//
// It rejects a family without a row for a message that the compiler requires, and a row that leaves a field of the
// descriptor, or a source of the message, unset.
//
// A family can inherit the rows of another, so that Gen9 has its own rows only for the fence and the end of a thread.
package message
