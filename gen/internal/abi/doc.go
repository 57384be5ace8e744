// Package abi is the generator's part that turns defs/intel/abi, the rows that say how
// threads find their inputs, into generated/abi. [Run] loads, checks and writes; [Rows]
// and [HeaderValues] tell other parts which ABIs there are and what their headers hold.
//
// It checks that every value has a place and no two share one. A row that inherits takes
// over all that it does not say. What launchers and the compiler do with the rows is
// theirs.
package abi
