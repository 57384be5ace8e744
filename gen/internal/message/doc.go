// Package message is the generator's part that turns defs/intel/message, the logical
// messages and the rows by which families of messages do them, into generated/message
// ([Generate]). Logical messages are what the compiler asks of memory and fixed
// functions whatever the machine is; a family, which several machines may share or
// inherit, says which descriptor, header and payloads each takes.
//
// It refuses a family that has no row for a message that the compiler cannot do without,
// and a row that leaves a field of the descriptor, or a source of the message, unsaid.
//
// A family inherits what it has in common with another, so that of Gen9's messages only
// the fence and the end of a thread are rows of their own.
package message
