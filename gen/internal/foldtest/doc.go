// SPDX-License-Identifier: MIT

// Package foldtest tests that the generated constant folder agrees with the
// interpreter of the same meanings: every opcode at every size, on corner cases
// and random values. It is a separate package because the generator itself must build without
// generated code, and this test imports generated/fold.
package foldtest
