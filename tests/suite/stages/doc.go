// Package stages compiles vertex and fragment shaders: those of tests/shaders/stages and of the
// scripts in tests/amber/graphics, for every machine and width, with all checks of the compiler. The
// code must be legal, and what iga64 disassembles it to must assemble to the same bytes. The package
// contains only tests.
package stages
