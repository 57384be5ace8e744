// SPDX-License-Identifier: MIT

// Package diag defines the generator's errors: each names the table's file, line and column, the row, and the mistake
// ([Errorf], at a [Pos]). A [List] collects them, so that one run reports all errors of a table, sorted by position.
//
// Parts of the generator report everything that an author of tables can get wrong through this package.
package diag
