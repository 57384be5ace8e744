// Package table reads the TOML tables ([Load]). A table is a set of named rows
// ([op.iadd], [rule.x]); a row is decoded strictly into a Go struct ([Rows]), so that an
// unknown key or a wrong type is an error, and every row and key knows the file and line
// it stands on. Folders of a user come after the project's own; a row that is there
// twice is refused with both places.
//
// What a file may hold is bounded (see limits.go). What rows mean is the business of the
// parts of the generator.
package table
