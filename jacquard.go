// Package jacquard compiles SPIR-V shaders to Intel GPU machine code.
package jacquard
