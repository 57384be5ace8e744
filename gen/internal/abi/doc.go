// SPDX-License-Identifier: MIT

// Package abi is the part of the generator that turns defs/intel/abi, the rows that describe
// how threads find their inputs, into generated/abi. [Run] loads, checks and writes; [Rows]
// and [HeaderValues] return the ABIs and the contents of their headers to other parts.
//
// It checks that every value has a position and no two overlap. A row inherits all keys that
// it does not set. Launchers and the compiler interpret the rows.
package abi
