// Package engine executes the dispatches of AmberScripts with what the project
// has for that: the compiler together with the model of the execution units,
// and the interpreter. It joins the packages that must not know each other.
package engine
