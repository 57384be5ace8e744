// Package fold holds tests that compare the generated constant folder with
// definitions written by hand over big numbers.
package fold
