// SPDX-License-Identifier: MIT

// Package stages compiles the vertex and fragment shaders in tests/shaders/stages and in the scripts of
// tests/amber/graphics, for every machine and width, with all checks of the compiler. The code must be legal, and
// iga64's disassembly of it must assemble to the same bytes. The package contains only tests.
package stages
