// Package atomics is the part of the generator that checks the rows of atomics (defs/ir/atomics.toml)
// and writes what they mean ([Generate]): for the interpreter as a function over bits
// (generated/fold), for passes as instructions (generated/build), and for the reader and
// selection which of them an intrinsic on texels is (generated/atomic). The codes of messages
// are part of generated/message.
package atomics
