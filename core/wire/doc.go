// SPDX-License-Identifier: MIT

// Package wire encodes shaders as bytes and decodes them. After Marshal and Unmarshal,
// text.Print returns the same text as before.
//
// A file is the magic number, a version, the CRC-32C of the rest, and the rest:
//
//	strings   every following name and text is an index into this table
//	forms     the contents of an instruction or a record of the file: its kind,
//	          opcode or intrinsic, number of sources, and the names and types of
//	          its fields
//	values    values of enumerations and masks, by name
//	shader    information, locations, types, functions, variables, registers,
//	          bindings, and the body of each function
//
// Numbers of generated tables are not stored: opcodes, intrinsics, kinds, indices, fields and
// values of enumerations are in the dictionaries by name. New rows, and
// reordered rows, do not change the meaning of an old file; a field that a file lacks gets
// its default; an unknown name is reported as an error.
//
// Numbers are varints (as in encoding/binary) of at most 32 bits. A shader has exactly one
// encoding: values, types, strings and dictionaries are numbered in order of their first use.
//
// The decoder trusts nothing. Counts are checked against the remaining bytes before memory is
// allocated, and errors include the offset. A decoded file has the form of a shader; package
// validate checks its contents.
package wire

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"sync"
)

// Version is written into every file. Files of other versions are rejected.
const Version = 1

// magic starts every file. Its first byte does not occur in text.
const magic = "\x89JIR"

// headerSize is the magic number, the version and the checksum.
const headerSize = len(magic) + 1 + 4

// maxNest bounds nested ifs and loops, and nested types.
const maxNest = 256

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// Is reports whether data starts like a shader in binary form.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }

// Error reports a malformed file, and the position of the fault.
type Error struct {
	Offset int // bytes from the start of the file
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Msg) }
