// Package isa tests generated/isa against vectors, against its own inverse
// functions, and against Intel's assembler iga64 where it is installed.
package isa
