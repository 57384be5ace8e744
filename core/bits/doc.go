// SPDX-License-Identifier: MIT

// Package bits implements dense sets of small numbers: a [Set] is a slice of words, made by [NewSet] or taken from
// reused memory ([Words] returns its length). Operations on two sets work word by word. The numbers usually index a
// table, such as the values of a shader, and sets that are combined must have the same number of words. The package
// imports no other package of the project.
package bits
