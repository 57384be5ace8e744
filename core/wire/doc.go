// Package wire writes shaders as bytes and reads them back. Marshal, Unmarshal
// and text.Print give the text that text.Print gives without the detour.
//
// A file is the magic number, a version, the CRC-32C of the rest, and the rest:
//
//	strings   every name and text that follows is a number in this table
//	forms     what an instruction or a record of the file holds: its kind,
//	          opcode or intrinsic, number of sources, and the names and types of
//	          its fields
//	values    values of enumerations and masks, by name
//	shader    information, locations, types, functions, variables, registers,
//	          bindings, and the body of each function
//
// Nothing that a generated table numbers is stored as a number: an opcode, an
// intrinsic, a kind, an index, a field and a value of an enumeration stand in
// the dictionaries by name. New rows, and rows in another order, do not change
// what an old file means; a field that a file does not have gets its default; a
// name that is not known is an error that says it.
//
// Numbers are varints (as in encoding/binary) of at most 32 bits. A shader has
// one file: values, types, strings and dictionaries are numbered in the order
// in which they are first needed.
//
// Reading trusts nothing. Counts are checked against the bytes that are left
// before memory is taken, and errors say the offset. A file that is read has
// the form of a shader; package validate checks what it says.
package wire

import (
	"bytes"
	"fmt"
	"hash/crc32"
)

// Version is written into every file. A file of another version is refused.
const Version = 1

// magic starts every file. Its first byte is in no text.
const magic = "\x89JIR"

// headerSize is the magic number, the version and the checksum.
const headerSize = len(magic) + 1 + 4

// maxNest bounds nested ifs and loops, and nested types.
const maxNest = 256

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Is reports whether data starts like a shader in binary form.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }

// Error says what is wrong with a file, and where.
type Error struct {
	Offset int // bytes from the start of the file
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Msg) }
