// Package foldtest holds the test that the generated folder computes what the
// interpreter of the same meanings does: every opcode at every size, on corner values
// and random ones. It stands apart because the generator itself must build without
// anything generated, and this test imports generated/fold.
package foldtest
