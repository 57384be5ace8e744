// SPDX-License-Identifier: MIT

// Package pipeline contains the tables of passes: [Optimize] takes a shader from the reader to scalar SSA with memory
// still accessed through derefs, [Lower] from there to the input of instruction selection, and [Known] lists every pass
// once. [ForTarget] runs both for a target; after each, it checks with package legal that only permitted operations
// remain.
//
// It is the only package that imports all passes and all sets of rules; passes do not know each other or the order in
// which they run.
package pipeline
