// SPDX-License-Identifier: MIT

// Package table reads the TOML tables ([Load]). A table is a set of named rows
// ([op.iadd], [rule.x]); a row is decoded strictly into a Go struct ([Rows]), so that an
// unknown key or a wrong type is an error, and every row and key has its file and
// line. Folders of a user come after the project's own; a duplicate row is an error that
// names both positions.
//
// The size of files is limited (see limits.go). The parts of the generator interpret the
// rows.
package table
