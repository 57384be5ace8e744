// Package diag holds the generator's errors: each names the table's file, line and
// column, the row, and what is wrong with it ([Errorf], at a [Pos]). A [List] collects
// them, so that one run reports all faults of a table, sorted by place.
//
// Parts of the generator report everything that a person who writes tables can get wrong
// through this package.
package diag
