// SPDX-License-Identifier: MIT

// Package tools compiles the shaders of AmberScripts to modules: a [Cache] translates their source with the programs
// that package frontend runs, and runs spirv-opt over them if a script requests passes. Errors and the debug
// information in modules have positions in the script.
package tools
