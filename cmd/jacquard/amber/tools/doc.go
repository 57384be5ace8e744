// Package tools gives AmberScripts the modules of their shaders: a [Cache] translates their source with the programs
// that package frontend runs, and runs spirv-opt over them if a script requests passes. Errors have their position in
// the script, and so do the lines in the modules' debug information.
package tools
