// Package bits holds dense sets of small numbers: a [Set] is a slice of words, made by
// [NewSet] or taken from memory that was used before ([Words] says how many). Operations
// between sets go word by word. Its numbers usually index a table, such as the values of
// a shader, and sets that are combined have the same number of words. It depends on
// nothing.
package bits
