// Package bits implements dense sets of small numbers: a [Set] is a slice of words, made by
// [NewSet] or taken from reused memory ([Words] returns its length). Operations between sets
// work word by word. The numbers usually index a table, such as the values of a shader, and
// sets that are combined must have the same number of words. It depends on no other package.
package bits
