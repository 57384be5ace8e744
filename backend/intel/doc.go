// Package intel is the back end for Intel GPUs: a shader in core/ir, lowered to
// what the machine has, goes in; machine code with what a launcher has to know
// comes out. The stages are packages of their own: isel (selection), opt, lower,
// ra (register allocation), swsb (scoreboard), emit; mir is what they work on.
package intel
