// Package wire is the binary form.
package wire

// A Reader reads.
type Reader struct{}

// Read2 reads an instruction.
func (r *Reader) Read2() {}

func (r *Reader) String() string { return "" }

// The sections of a file.
const (
	First = iota
	Second
)

// Section is a part of a file.
type Section uint8

const (
	Header Section = iota
	Body
)

// Reads at most one byte; the words of a sentence are no names.
func step() { helper() }

func helper() {}

// A is a letter.
func A() {}

type hidden struct{}

func (hidden) Exported() {}
