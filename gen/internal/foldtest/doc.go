// Package foldtest holds the test that the generated folder computes what the
// interpreter of the same meanings does. It stands apart because the generator
// itself must build without anything generated.
package foldtest
