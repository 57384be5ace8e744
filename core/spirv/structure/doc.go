// Package structure checks the structured control flow of functions by SPIR-V's rules. A graph of blocks enters
// [Constructs.Check], with the merge instruction and the kind of terminator of each; the first [Fault] leaves, if there
// is one. The package knows neither the words of a module nor the IR.
package structure
