// Package structure checks the structured control flow of functions.
//
// What enters is a graph of blocks, with the merge instruction and the kind of terminator of each; what leaves is the
// first violation of the rules, if there is one. The package knows neither the words of a module nor the IR.
package structure
