// Package module reads what precedes the code of functions: words, ids, types, constants and their specialization,
// decorations, entry points, execution modes, and global variables. [Reader] is the state of reading a module; the
// packages above it plan and emit functions with it. Module enters as bytes ([Words]); types and variables of the IR
// leave. Errors about any instruction are made here ([Reader.Fail]), with their position in the source. The package
// does not know control flow or instructions of functions.
package module
